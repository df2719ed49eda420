// Lowering: variables of threads and elements of arrays that lie in memory (kassist/dtrace/lowering/memory_layout.hpp).
#include <cstddef>

#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {

/// Behind code that goes to `absent` where there is no variable, with its address in r1 where there is one. An absent
/// one is zeros, whatever was stored there in the place of a variable that was dropped.
void DLowering::set_address(const DInstruction& i, Label absent, bool is_drop) {
  Label done = out_.label();
  out_.jump(done);
  out_.bind(absent);
  if (is_drop) count_drop(offsetof(d_control, dynamic_drops));
  address(1, offsetof(d_run, scratch) + maps_.memory.absent_address - kDScratchBase);
  out_.map_value(3, library_.map(".rodata.zeros"), 0);
  copy_kernel(program_.variables[static_cast<size_t>(i.imm)].bytes);
  out_.number(1, maps_.memory.absent_address);
  out_.bind(done);
  set(i.a, 1);
}

void DLowering::thread_address(const DInstruction& i) {
  Label absent = out_.label();
  out_.helper(BPF_FUNC_get_current_task_btf);
  out_.move(2, Register{0});
  out_.map(1, library_.map("thread_memory"));
  out_.move(3, 0);
  out_.move(4, i.c != 0 ? kCreateStorage : 0);
  out_.helper(BPF_FUNC_task_storage_get);
  out_.jump(BPF_JEQ, 0, 0, absent);
  out_.number(1, kDThreadBase + maps_.memory.thread_places[static_cast<size_t>(i.imm)]);
  set_address(i, absent, i.c != 0);
}

/// The array has the address. One CPU's is there if two make the same element at a time; the other's is lost.
void DLowering::element_address(const DInstruction& i) {
  Label found = out_.label(), absent = out_.label();
  int map = maps_.arrays[static_cast<size_t>(i.imm)].number();
  look_up(map, found);
  if (i.c != 0) {
    out_.move(1, kRun);
    out_.move(2, static_cast<int32_t>(program_.variables[static_cast<size_t>(i.imm)].bytes));
    out_.call("d_new_element");
    out_.jump(BPF_JEQ, 0, 0, absent);
    address(3, offsetof(d_run, value));
    make_element(map, found);
    count_drop(offsetof(d_control, dynamic_drops));
  }
  out_.jump(absent);
  out_.bind(found);
  out_.load(BPF_DW, 1, 0, 0);
  set_address(i, absent, false);
}

}  // namespace strut
