#include "syscalls/arg_plan.hpp"

#include <algorithm>

#include "syscalls/call.hpp"

namespace strut {

namespace {

bool takes_two_registers(const Type& type, Abi abi) {
  if (abi != Abi::I386 || type.width != Width::B8) return false;
  return has_width(type.kind) || (type.kind == Kind::Custom && !type.custom_bytes);
}

/// Assigns registers in the order in which arguments stand.
class Assignment {
 public:
  Assignment(ArgPlan& plan, const Call& call) : plan_(plan), call_(call) {}

  void add(const ArgType& type) {
    if (plan_.count == kMaxDecodedArgs) return;
    PlannedArg arg{&type, next_, takes_two_registers(type.type, call_.abi), !type.when || type.when(call_)};
    if (type.reg >= 0) arg.reg = static_cast<uint8_t>(type.reg);
    next_ = arg.reg + (arg.paired ? 2 : 1);
    plan_.args[plan_.count++] = arg;
  }

 private:
  ArgPlan& plan_;
  const Call& call_;
  uint8_t next_ = 0;
};

uint64_t extended(uint64_t bits, size_t bytes, bool is_signed) {
  if (bytes >= 8) return bits;
  unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
  bits <<= unused;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(bits) >> unused) : bits >> unused;
}

/// The four calls of x32's own that pass an offset, of 64 bits.
bool passes_offset(const Call& call) {
  constexpr uint32_t kPreadv = 534, kPwritev = 535, kPreadv2 = 546, kPwritev2 = 547;
  return call.abi == Abi::X32 &&
         (call.nr == kPreadv || call.nr == kPwritev || call.nr == kPreadv2 || call.nr == kPwritev2);
}
/// x32's own numbers enter the kernel through 32-bit calls (COMPAT_SYSCALL_DEFINE), but for those.
bool has_narrow_registers(const Call& call) {
  constexpr uint32_t kFirst = 512, kLast = 547;
  return call.abi == Abi::X32 && call.nr >= kFirst && call.nr <= kLast && !passes_offset(call);
}
/// Their count has 32 bits, too.
bool is_narrow(const Call& call, size_t index) {
  constexpr size_t kCount = 2;
  return has_narrow_registers(call) || (passes_offset(call) && index == kCount);
}

ArgPlan planned(const FunctionArguments& function, const Call& call) {
  ArgPlan plan;
  plan.result = function.result;
  size_t count = std::min({function.types.size(), function.values.size(), kMaxDecodedArgs});
  for (; plan.count < count; plan.count++) {
    const ArgType& type = function.types[plan.count];
    plan.args[plan.count] = {&type, plan.count, false, !type.when || type.when(call)};
  }
  return plan;
}

}  // namespace

uint64_t register_of(const Call& call, size_t index) {
  if (call.function) return index < call.function->values.size() ? call.function->values[index] : 0;
  if (index >= kRegisters) return 0;
  return has_narrow_registers(call) ? call.regs[index] & 0xffffffff : call.regs[index];
}

const CommandRow* command_of(const Call& call) {
  const CommandTable* table = call.desc->commands;
  if (!table) return nullptr;
  PlannedArg selector{&call.desc->args[table->command_arg], table->command_arg, false, true};
  uint64_t command = value_of(selector, call) & table->command_mask;
  auto row = std::lower_bound(table->rows.begin(), table->rows.end(), command,
                              [](const CommandRow& candidate, uint64_t wanted) { return candidate.command < wanted; });
  if (row != table->rows.end() && row->command == command) return &*row;
  return table->fallback ? table->fallback(call) : nullptr;
}

ArgPlan plan_args(const Call& call) {
  if (call.function) return planned(*call.function, call);
  const SyscallDesc& desc = *call.desc;
  const CommandRow* row = command_of(call);
  ArgPlan plan;
  plan.result = row ? &row->result : &desc.result;
  plan.aux = row && row->aux ? row->aux : desc.aux;
  Assignment assignment(plan, call);
  size_t own = row ? std::min<size_t>(desc.commands->from, desc.count) : desc.count;
  for (size_t i = 0; i < own; i++) assignment.add(desc.args[i]);
  if (row)
    for (size_t i = 0; i < row->count; i++) assignment.add(row->args[i]);
  return plan;
}

size_t registers_of(const SyscallDesc& desc, Abi abi) {
  size_t next = 0, most = 0;
  for (size_t i = 0; i < desc.count; i++) {
    const ArgType& arg = desc.args[i];
    if (arg.reg >= 0) next = static_cast<size_t>(arg.reg);
    next += takes_two_registers(arg.type, abi) ? 2 : 1;
    most = std::max(most, next);
  }
  return std::min(most, kRegisters);
}

uint64_t narrowed(const Type& type, uint64_t bits, Abi abi) {
  switch (type.kind) {
    case Kind::Number:
    case Kind::Named:
    case Kind::Word:
    case Kind::Look: return extended(bits, bytes_of(type.width, abi), type.is_signed);
    case Kind::Fd:
    case Kind::DirFd:
    case Kind::ProcessId:
    case Kind::Signal:
    case Kind::WaitStatus: return extended(bits, 4, true);
    default: return abi == Abi::I386 && type.width != Width::B8 ? extended(bits, 4, false) : bits;
  }
}

uint64_t value_of(const PlannedArg& arg, const Call& call) {
  uint64_t bits = register_of(call, arg.reg);
  if (arg.paired) bits = (bits & 0xffffffff) | register_of(call, arg.reg + 1u) << 32;
  return narrowed(arg.type->type, bits, is_narrow(call, arg.reg) ? call.abi : register_abi(call.abi));
}

}  // namespace strut
