// Functions with the five-byte nops that compilers leave as room for a call, called here and by children; prints the
// number of its own calls. 7: all children ended well.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION(name, before, nop)                                              \
  int name(void);                                                                \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ": " before nop \
          "\npush %rbp\nmov $1, %eax\npop %rbp\nret\n"                           \
          ".size " #name ", . - " #name "\n")
FUNCTION(plain, "", ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00");
FUNCTION(prefixed, "", ".byte 0x66, 0x0f, 0x1f, 0x04, 0x00");
FUNCTION(repeated, "", ".byte 0x66, 0x66, 0x66, 0x66, 0x90");
FUNCTION(marked, "endbr64\n", ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00");

static int calls(int turns) {
  int made = 0;
  for (int i = 0; i < turns; i++) made += plain() + prefixed() + repeated() + marked();
  return made / 4;
}

int main(void) {
  int made = calls(10);
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) _exit(calls(10) == 10 ? 0 : 1);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) return printf("child %d ended with %#x\n", i, status), 1;
    made += calls(1);
  }
  for (const char* const* name = (const char* const[]){"plain", "prefixed", "repeated", "marked", NULL}; *name; name++)
    printf("%s %d\n", *name, made);
  return 7;
}
