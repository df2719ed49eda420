// Lowering: strings that are copied, variables, elements of arrays.
#include <cstddef>

#include "kassist/dtrace/lowering/lowering.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

bool is_store(DOp op) {
  return op == DOp::StoreThread || op == DOp::StoreThreadText || op == DOp::StoreElement || op == DOp::StoreElementText;
}
bool is_text(DOp op) {
  return op == DOp::LoadThreadText || op == DOp::StoreThreadText || op == DOp::LoadElementText ||
         op == DOp::StoreElementText;
}

}  // namespace

bool DLowering::variable(const DInstruction& i) {
  switch (i.op) {
    case DOp::LoadThread:
    case DOp::LoadThreadText: load_thread(i); return true;
    case DOp::StoreThread:
    case DOp::StoreThreadText: store_thread(i); return true;
    case DOp::LoadElement:
    case DOp::StoreElement:
    case DOp::LoadElementText:
    case DOp::StoreElementText: element(i); return true;
    case DOp::AddressThread: thread_address(i); return true;
    case DOp::AddressElement: element_address(i); return true;
    default: return text(i) || global(i) || clause_local(i);
  }
}

bool DLowering::text(const DInstruction& i) {
  switch (i.op) {
    case DOp::Text: text_constant(i); return true;
    case DOp::TextNull: set_null(i.a); return true;
    case DOp::TextIsSet:
      out_.load(BPF_W, 1, kRun, offsetof(d_run, texts) + text_place(i.b));
      out_.move(2, Register{1});
      out_.negate(2);
      out_.alu(BPF_OR, 1, Register{2});
      out_.alu(BPF_RSH, 1, 63);
      set(i.a, 1);
      return true;
    case DOp::TextCopy:
      text_address(3, i.b);
      load_text(i.a, 3);
      return true;
    default: return false;
  }
}

bool DLowering::global(const DInstruction& i) {
  auto address_into = [&](Register to) {
    out_.map_value(to, maps_.globals.number(), maps_.places[static_cast<size_t>(i.imm)]);
  };
  switch (i.op) {
    case DOp::LoadGlobal:
      address_into(1);
      out_.load(BPF_DW, 1, 1, 0);
      set(i.a, 1);
      return true;
    case DOp::StoreGlobal:
      get(2, i.a);
      address_into(1);
      out_.store(BPF_DW, 1, 0, Register{2});
      return true;
    case DOp::LoadGlobalText:
      address_into(3);
      load_text(i.a, 3);
      return true;
    case DOp::StoreGlobalText:
      address_into(1);
      store_text(1, i.a);
      return true;
    default: return false;
  }
}

bool DLowering::clause_local(const DInstruction& i) {
  auto place = [&] { return offsetof(d_run, locals) + maps_.places[static_cast<size_t>(i.imm)]; };
  switch (i.op) {
    case DOp::LoadClause:
      out_.load(BPF_DW, 1, kRun, place());
      set(i.a, 1);
      return true;
    case DOp::StoreClause:
      get(1, i.a);
      out_.store(BPF_DW, kRun, place(), Register{1});
      return true;
    case DOp::LoadClauseText:
      address(3, place());
      load_text(i.a, 3);
      return true;
    case DOp::StoreClauseText:
      address(1, place());
      store_text(1, i.a);
      return true;
    default: return false;
  }
}

void DLowering::text_constant(const DInstruction& i) {
  auto index = static_cast<size_t>(i.imm);
  text_address(1, i.a);
  out_.map_value(3, maps_.constants.number(), maps_.text_places[index]);
  copy_kernel(8 + maps_.text_lengths[index]);
}

void DLowering::set_null(uint8_t text) {
  text_address(2, text);
  out_.number(1, uint64_t{D_NULL} << 32);
  out_.store(BPF_DW, 2, 0, Register{1});
}

/// The register becomes the struct d_text at `from`.
void DLowering::load_text(uint8_t text, Register from) {
  if (from != 3) out_.move(3, from);
  text_address(1, text);
  copy_kernel(maps_.text_cell());
}

void DLowering::store_text(Register to, uint8_t text) {
  if (to != 1) out_.move(1, to);
  text_address(3, text);
  copy_kernel(maps_.text_cell());
}

/// r0 is where the thread's variables are; goes to `absent` if there are none.
void DLowering::thread_cells(bool make, Label absent) {
  out_.helper(BPF_FUNC_get_current_task_btf);
  out_.move(2, Register{0});
  out_.map(1, maps_.threads.number());
  out_.move(3, 0);
  out_.move(4, make ? kCreateStorage : 0);
  out_.helper(BPF_FUNC_task_storage_get);
  out_.jump(BPF_JEQ, 0, 0, absent);
}

/// `to` is 0 if the value that an instruction stores is 0 or NULL.
void DLowering::find_stored(const DInstruction& i, Register to) {
  if (!is_text(i.op)) return get(to, i.a);
  out_.load(BPF_W, to, kRun, offsetof(d_run, texts) + text_place(i.a) + offsetof(d_text, state));
  out_.alu(BPF_XOR, to, D_NULL);
}

/// The thread's variable at r0 becomes a string, or no string if it is NULL. `at` is lost.
void DLowering::keep_text(uint8_t text, Register at) {
  Label is_null = out_.label();
  out_.move(at, Register{0});
  store_text(0, text);
  out_.load(BPF_W, 1, at, offsetof(d_text, state));
  out_.move(2, int32_t{D_TEXT});
  out_.jump(BPF_JEQ, 1, D_NULL, is_null);
  out_.move(2, int32_t{D_KEPT});
  out_.bind(is_null);
  out_.store(BPF_W, at, offsetof(d_text, state), Register{2});
}

/// A register that has a thread's variable, or NULL.
void DLowering::unmark_kept(uint8_t text) {
  Label done = out_.label();
  size_t state = offsetof(d_run, texts) + text_place(text) + offsetof(d_text, state);
  out_.load(BPF_W, 1, kRun, state);
  out_.jump(BPF_JNE, 1, D_KEPT, done);
  out_.store(BPF_W, kRun, state, 0);
  out_.bind(done);
}

// A 0 is not stored where no value is; a value without room is counted.
void DLowering::store_thread(const DInstruction& i) {
  Label zero = out_.label(), found = out_.label(), absent = out_.label(), done = out_.label();
  find_stored(i, 7);
  out_.jump(BPF_JEQ, 7, 0, zero);
  thread_cells(true, absent);
  out_.jump(found);
  out_.bind(zero);
  thread_cells(false, done);
  out_.bind(found);
  out_.alu(BPF_ADD, 0, static_cast<int32_t>(maps_.places[static_cast<size_t>(i.imm)]));
  if (is_text(i.op)) keep_text(i.a, 7);
  else {
    get(1, i.a);
    out_.store(BPF_DW, 0, 0, Register{1});
  }
  out_.jump(done);
  out_.bind(absent);
  count_drop(offsetof(d_control, dynamic_drops));
  out_.bind(done);
}

void DLowering::load_thread(const DInstruction& i) {
  Label absent = out_.label();
  thread_cells(false, absent);
  out_.alu(BPF_ADD, 0, static_cast<int32_t>(maps_.places[static_cast<size_t>(i.imm)]));
  if (is_text(i.op)) {
    out_.load(BPF_W, 1, 0, offsetof(d_text, state));
    out_.jump(BPF_JNE, 1, D_KEPT, absent);
  }
  load_cell(i, absent);
  if (is_text(i.op)) unmark_kept(i.a);
}

void DLowering::load_cell(const DInstruction& i, Label absent) {
  Label done = out_.label();
  if (is_text(i.op)) load_text(i.a, 0);
  else {
    out_.load(BPF_DW, 1, 0, 0);
    set(i.a, 1);
  }
  out_.jump(done);
  out_.bind(absent);
  if (is_text(i.op)) set_null(i.a);
  else {
    out_.move(1, 0);
    set(i.a, 1);
  }
  out_.bind(done);
}

void DLowering::key_pointer(Register to) { address(to, offsetof(d_run, keys)); }

/// Goes to `found` with the current keys' value in r0, or on if the map has none.
void DLowering::look_up(int map, Label found) {
  out_.map(1, map);
  key_pointer(2);
  out_.helper(BPF_FUNC_map_lookup_elem);
  out_.jump(BPF_JNE, 0, 0, found);
}

/// The value at r3 becomes that of the current keys, if no other CPU has made one meanwhile. Goes to `found` as
/// look_up() does, or on if the map has no room.
void DLowering::make_element(int map, Label found) {
  out_.map(1, map);
  key_pointer(2);
  out_.move(4, BPF_NOEXIST);
  out_.helper(BPF_FUNC_map_update_elem);
  look_up(map, found);
}

void DLowering::element(const DInstruction& i) {
  Label absent = out_.label(), done = out_.label();
  int map = maps_.arrays[static_cast<size_t>(i.imm)].number();
  out_.map(1, map);
  key_pointer(2);
  if (is_store(i.op)) {
    find_stored(i, 7);
    if (is_text(i.op)) text_address(3, i.a);
    else address(3, offsetof(d_run, r) + size_t{i.a} * 8);
    out_.jump(BPF_JEQ, 7, 0, absent);
    out_.move(4, BPF_ANY);
    out_.helper(BPF_FUNC_map_update_elem);
    out_.jump(BPF_JEQ, 0, 0, done);
    count_drop(offsetof(d_control, dynamic_drops));
    out_.jump(done);
    out_.bind(absent);
    out_.helper(BPF_FUNC_map_delete_elem);
    return out_.bind(done);
  }
  out_.helper(BPF_FUNC_map_lookup_elem);
  out_.jump(BPF_JEQ, 0, 0, absent);
  load_cell(i, absent);
}

}  // namespace strut
