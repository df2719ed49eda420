/* A library that calls its own functions without end (-DLIBRARY), and a program that calls each of them some times
 * and counts the calls. The program may also come by a pointer to some: its own (-DPOINTS), from a function of the
 * library's (-DGETTER, both), from a table of the library's (-DTABLE, both), from a library that it opens later
 * (-DPLUGIN: that one; -DOPENS), from a library that looks up a name of the program's (-DHELPER: that one; -DASKS);
 * or it may jump there (-DJUMPS). */
#ifdef LIBRARY
/* Each begins with an instruction that the kernel does not emulate. `kind` makes no call, `call_back` makes any. */
__asm__(
    ".globl kind\n.type kind, @function\n.p2align 4\n"
    "kind:\n.Lkind: mov %edi, %eax\n and $15, %eax\n ret\n.size kind, . - kind\n"
    ".globl call_back\n.type call_back, @function\n.p2align 4\n"
    "call_back:\n.Lcall_back: .cfi_startproc\n sub $8, %rsp\n.cfi_def_cfa_offset 16\n mov %rdi, %rax\n mov %esi, "
    "%edi\n call *%rax\n"
    " add $8, %rsp\n.cfi_def_cfa_offset 8\n ret\n.cfi_endproc\n.size call_back, . - call_back\n"
    ".globl count\n.type count, @function\n.p2align 4\n"
    "count: incl counter(%rip)\n mov counter(%rip), %eax\n ret\n.size count, . - count\n"
    ".globl count_twice\n.type count_twice, @function\n.p2align 4\n"
    "count_twice: addl $2, counter(%rip)\n mov counter(%rip), %eax\n ret\n.size count_twice, . - count_twice\n"
    ".local counter\n.comm counter, 4, 4\n"
    /* Whether there are breakpoints: read, not pointed to. */
    ".globl is_changed\n.type is_changed, @function\n.p2align 4\n"
    "is_changed: cmpb $0x89, .Lkind(%rip)\n setne %al\n cmpb $0x48, .Lcall_back(%rip)\n setne %ah\n or %ah, %al\n "
    "movzbl %al, %eax\n ret\n"
    ".size is_changed, . - is_changed\n"
#ifdef GETTER
    ".globl get_kind\n.type get_kind, @function\n.p2align 4\n"
    "get_kind: push %rbx\n lea .Lkind(%rip), %rax\n pop %rbx\n ret\n.size get_kind, . - get_kind\n"
    ".globl get_call_back\n.type get_call_back, @function\n.p2align 4\n"
    "get_call_back: push %rbx\n lea .Lcall_back(%rip), %rax\n pop %rbx\n ret\n.size get_call_back, . - get_call_back\n"
#endif
#ifdef TABLE
    ".section .data.rel.ro, \"aw\"\n.globl table\n.type table, @object\n.p2align 4\n"
    "table: .quad .Lkind, .Lcall_back\n.size table, . - table\n.text\n"
#endif
);
int kind(int number);
int call_back(int (*function)(int), int number);

static int same(int number) { return number; }
int many(int times) {
  int sum = 0;
  for (int i = 0; i < times; i++) sum += kind(i) + call_back(same, i & 1);
  return sum;
}
#elif defined PLUGIN
int kind(int number);
int call_back(int (*function)(int), int number);
int (*plugged_kind)(int) = kind;
int (*plugged_call_back)(int (*)(int), int) = call_back;
#elif defined HELPER
#define _GNU_SOURCE
#include <dlfcn.h>
void *ask(const char *name) { return dlsym(RTLD_DEFAULT, name); }
#else
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

typedef int Kind(int);
typedef int CallBack(Kind *, int);
Kind kind, *get_kind(void);
CallBack call_back, *get_call_back(void);
int count(void);
int count_twice(void);
int many(int times);
int is_changed(void);
void *ask(const char *name);
struct table {
  Kind *kind;
  CallBack *call_back;
};
extern const struct table table;

static int kinds, calls, left, counts;
static jmp_buf out;

static int plus(int number) { return kinds++, kind(number) + 1; }
static int again(int number) { return number ? (calls++, call_back(again, number - 1) + 1) : plus(3); }
static int leave(int number) { longjmp(out, number + 1); }

/* Calls that follow each other without an instruction between them. */
__attribute__((noipa)) static int in_a_row(void) {
  counts += 4;
  count();
  count_twice();
  count();
  return count_twice();
}

__attribute__((noipa)) static void come_by(Kind *by_kind, CallBack *by_call_back) {
  for (int i = 0; i < 3; i++) kinds++, by_kind(i);
  for (int i = 0; i < 3; i++) calls++, by_call_back(plus, i);
}

#ifdef JUMPS
int jumps_to_kind(int number);
__asm__(
    ".text\n.type jumps_to_kind, @function\njumps_to_kind: add $10, %edi\n jmp kind@plt\n.size jumps_to_kind, . - "
    "jumps_to_kind\n");
#endif

int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < 5; i++) kinds++, sum += kind(i);
  for (int i = 0; i < 5; i++) calls++, sum += call_back(plus, i);
  calls++, sum += call_back(again, 5);
  for (volatile int i = 0; i < 3; i++)
    if (!setjmp(out)) left++, calls++, call_back(leave, i);
  sum += in_a_row();
  sum += many(argc > 1 ? atoi(argv[1]) : 30000);
#ifdef POINTS
  Kind *volatile pointer = kind;
  CallBack *volatile other = call_back;
  come_by(pointer, other);
#endif
#ifdef GETTER
  come_by(get_kind(), get_call_back());
#endif
#ifdef TABLE
  come_by(table.kind, table.call_back);
#endif
#ifdef OPENS
  void *plugin = dlopen(OPENS, RTLD_NOW);
  if (!plugin) return 1;
  come_by(*(Kind **)dlsym(plugin, "plugged_kind"), *(CallBack **)dlsym(plugin, "plugged_call_back"));
#endif
#ifdef ASKS
  come_by(ask("kind"), ask("call_back"));
#endif
#ifdef JUMPS
  for (int i = 0; i < 3; i++) kinds++, sum += jumps_to_kind(i);
#endif
  printf("kind %d\ncall_back %d\ncount %d\ncount_twice %d\n", kinds, calls, counts / 2, counts / 2);
  printf("left %d, changed %d, sum %d\n", left, is_changed(), sum);
  return 7;
}
#endif
