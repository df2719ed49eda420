#include "tests/unit/ustack/second_unwinder.hpp"

#include <libunwind-ptrace.h>
#include <libunwind-x86_64.h>

namespace strut::test {

/// The sources of answers to libunwind's queries.
struct SecondUnwinder::State {
  unw_addr_space_t space = nullptr;
  void* files = nullptr;  ///< the own, of a process: the files of code
  const UserRegisters* registers = nullptr;
  Memory* memory = nullptr;
};

namespace {

/// For the current walk: libunwind passes _UPT_create()'s argument to accessors that _UPT_find_proc_info() needs, and
/// unw_init_remote()'s to others.
SecondUnwinder::State* current = nullptr;

int find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t* info, int needs, void*) {
  return _UPT_find_proc_info(space, ip, info, needs, current->files);
}
void put_unwind_info(unw_addr_space_t space, unw_proc_info_t* info, void*) {
  _UPT_put_unwind_info(space, info, current->files);
}
int no_code_made_at_run_time(unw_addr_space_t, unw_word_t*, void*) { return -UNW_ENOINFO; }

int read_memory(unw_addr_space_t, unw_word_t at, unw_word_t* word, int is_write, void*) {
  if (is_write) return -UNW_EINVAL;
  auto bytes = std::as_writable_bytes(std::span(word, 1));
  return current->memory->read(Addr{at}, bytes).bytes == bytes.size() ? 0 : -UNW_EINVAL;
}

/// libunwind numbers registers as DWARF does.
int read_register(unw_addr_space_t, unw_regnum_t number, unw_word_t* value, int is_write, void*) {
  const UserRegisters& registers = *current->registers;
  if (is_write || number < 0 || static_cast<size_t>(number) >= registers.size()) return -UNW_EBADREG;
  *value = registers[static_cast<size_t>(number)];
  return 0;
}
int no_fpreg(unw_addr_space_t, unw_regnum_t, unw_fpreg_t*, int, void*) { return -UNW_EBADREG; }
int no_resume(unw_addr_space_t, unw_cursor_t*, void*) { return -UNW_EINVAL; }
int no_name(unw_addr_space_t, unw_word_t, char*, size_t, unw_word_t*, void*) { return -UNW_ENOINFO; }

unw_accessors_t accessors() {
  unw_accessors_t all{};
  all.find_proc_info = find_proc_info;
  all.put_unwind_info = put_unwind_info;
  all.get_dyn_info_list_addr = no_code_made_at_run_time;
  all.access_mem = read_memory;
  all.access_reg = read_register;
  all.access_fpreg = no_fpreg;
  all.resume = no_resume;
  all.get_proc_name = no_name;
  return all;
}

}  // namespace

std::vector<uint64_t> pcs_of(const Stack& stack) {
  std::vector<uint64_t> pcs;
  for (const StackFrame& frame : stack.frames) pcs.push_back(raw(frame.pc));
  return pcs;
}

SecondUnwinder::SecondUnwinder(Pid pid) : state_(std::make_unique<State>()) {
  unw_accessors_t all = accessors();
  state_->space = unw_create_addr_space(&all, 0);
  unw_set_caching_policy(state_->space, UNW_CACHE_GLOBAL);
  state_->files = _UPT_create(raw(pid));
}

SecondUnwinder::~SecondUnwinder() {
  _UPT_destroy(state_->files);
  unw_destroy_addr_space(state_->space);
}

SecondUnwinder::Walked SecondUnwinder::unwind(const UserRegisters& registers, Memory& memory, size_t limit) {
  current = state_.get();
  state_->registers = &registers;
  state_->memory = &memory;
  Walked walked;
  unw_cursor_t cursor;
  if (unw_init_remote(&cursor, state_->space, state_.get()) != 0) return walked;
  int more = 1;
  while (more > 0 && walked.pcs.size() < limit) {
    unw_word_t pc = 0;
    unw_get_reg(&cursor, UNW_REG_IP, &pc);
    if (pc == 0) break;
    walked.pcs.push_back(pc);
    more = unw_step(&cursor);
  }
  walked.is_whole = more == 0;
  return walked;
}

}  // namespace strut::test
