// bpf(2)'s reports of programs and maps.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -v -X raw | -v -X verbose
// strut: mask: \bid=\d+|load_time=[1-9]\d+(?: /\*[^*]*\*/)?|jited_prog_len=\d+ => \d+
#include "golden_answer.h"

#include <linux/bpf.h>
#include <stdint.h>

enum { kProgram = 90, kMap, kOther };

static long bpf(int command, union bpf_attr attr) { return syscall(SYS_bpf, command, &attr, sizeof attr); }

// Descriptors that say nothing about the machine.
static void objects(void) {
  static struct bpf_insn code[] = {{0xb7, 0, 0, 0, 0}, {0x95, 0, 0, 0, 0}};
  long program = bpf(BPF_PROG_LOAD, (union bpf_attr){.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
                                                     .insns = (long)code,
                                                     .insn_cnt = 2,
                                                     .license = (long)"GPL",
                                                     .prog_name = "golden"});
  long map = bpf(BPF_MAP_CREATE, (union bpf_attr){.map_type = BPF_MAP_TYPE_HASH,
                                                  .key_size = 4,
                                                  .value_size = 8,
                                                  .max_entries = 2,
                                                  .map_name = "golden"});
  dup2(program, kProgram);
  dup2(map, kMap);
  dup2(0, kOther);
}

static long asked(int descriptor, unsigned length, const void *info) {
  union bpf_attr attr = {.info = {descriptor, length, (long)info}};
  return PUT(attr);
}

static void really(int descriptor, unsigned length, void *info) {
  CALL(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(descriptor, length, info), 16);
}

static void programs(void) {
  static const unsigned kLengths[] = {8, 24, 39, 40, 88, 104, 136, 184, 200, 208};
  struct bpf_prog_info nothing = {0};
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; i++)
    really(kProgram, kLengths[i], (void *)PUT(nothing));
  struct bpf_insn code[4] = {{0}};
  unsigned ids[4] = {0};
  struct bpf_prog_info report = {
      .xlated_prog_len = sizeof code, .xlated_prog_insns = PUT(code), .nr_map_ids = 4, .map_ids = PUT(ids)};
  really(kProgram, 208, (void *)PUT(report));
}

static void maps(void) {
  struct {
    struct bpf_map_info known;
    char more[32];
  } info = {0};
  for (unsigned length = 0; length <= 96; length += 8) really(kMap, length, (void *)PUT(info));
}

// Whatever a kernel may say, and where it is.
static void answers(void) {
  static const uint64_t kWords[4] = {0x1122334455667788, 0xffffffff, 0x8070605040302010, 1};
  static unsigned char bytes[272];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = i + 1;
  struct bpf_prog_info *program = (void *)bytes;
  long words = PUT(kWords);
  program->jited_prog_len = 20;
  program->jited_prog_insns = words;
  program->xlated_prog_len = 24;
  program->xlated_prog_insns = words;
  program->nr_map_ids = program->nr_jited_ksyms = program->nr_jited_func_lens = program->nr_func_info = 3;
  program->nr_line_info = program->nr_jited_line_info = program->nr_prog_tags = 2;
  program->map_ids = program->jited_ksyms = program->jited_func_lens = words;
  program->func_info = program->line_info = program->jited_line_info = program->prog_tags = words;
  program->func_info_rec_size = 8;
  program->line_info_rec_size = 16;
  program->jited_line_info_rec_size = 8;
  static const unsigned kLengths[] = {4, 12, 16, 20, 76, 104, 220, 240};
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; i++) {
    long info = PUT(bytes);
    OK(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kProgram, kLengths[i], (void *)info), 16);
    FAIL(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kMap, kLengths[i], (void *)info), 16);
    OK(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kMap, kLengths[i], (void *)info), 16);
  }
  static const struct bpf_map_info kArena = {.map_extra = 1ULL << 44};
  OK(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kMap, 88, (void *)PUT(kArena)), 16);
  OK(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kOther, 40, (void *)PUT(bytes)), 16);
  OK(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kMap, 40, NULL), 16);
  OK(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, asked(kProgram, 40, (void *)-1L), 16);
}

int main(void) {
  objects();
  answer_begin();
  programs();
  maps();
  answers();
  golden_end();
  return 0;
}
