/* Numbers in the programs' code that the loader replaces (kernel/common/cast.bpf.h, kernel/syscalls/late.bpf.h). */
#pragma once

enum {
  WIRE_CAST = 0x7fff0000,
  WIRE_CAST_TO_REGISTERS = 0x7fff0001,
  WIRE_CAST_TO_TASK = 0x7fff0002,
  WIRE_SCHEDULE_WORK = 0x7fff0003,
};
