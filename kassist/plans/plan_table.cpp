#include "kassist/plans/plan_table.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>

#include "base/result.hpp"
#include "kassist/plans/plan.hpp"
#include "syscalls/call_parts.hpp"
#include "syscalls/syscall.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

namespace {

// -- calls that carry other calls (syscalls/call_parts.hpp) ---------------------------------------------------

constexpr uint32_t kSelectNumber = 82, kSocketcallNumber = 102, kIpcNumber = 117;  // <asm/unistd_32.h>
constexpr uint32_t kMaxSocketcalls = 20, kMaxIpcs = 24, kIpcMask = 0xffff;         // <linux/net.h>, <linux/ipc.h>
constexpr uint8_t kArgumentsSlot = WIRE_SLOTS - 1;
constexpr uint32_t kMaxWords = 6;

wire_op move(uint8_t from, uint8_t to) {
  wire_op op{};
  op.kind = WIRE_OP_MOVE;
  op.at = from;
  op.to = to;
  return op;
}

/// Operations that put the arguments into the slots of registers: the memory that register `pointer` points to.
std::vector<wire_op> arguments_at(uint8_t pointer) {
  std::vector<wire_op> ops{move(pointer, kArgumentsSlot)};
  for (uint8_t i = 0; i < kMaxWords; i++) {
    wire_op load{};
    load.kind = WIRE_OP_LOAD;
    load.at = kArgumentsSlot;
    load.to = i;
    load.offset = static_cast<uint16_t>(i * sizeof(uint32_t));
    load.element = sizeof(uint32_t);
    ops.push_back(load);
  }
  return ops;
}
wire_op copy_of_arguments(uint8_t pointer) {
  wire_op copy{};
  copy.kind = WIRE_OP_BYTES;
  copy.at = pointer;
  copy.flags = WIRE_OP_MAY_END;
  copy.element = 1;
  copy.max = kMaxWords * sizeof(uint32_t);
  return copy;
}
/// The registers behind the command, moved to where they are in the call that is carried.
std::vector<wire_op> shifted_arguments() {
  std::vector<wire_op> ops;
  for (uint8_t i = 0; i + 1 < WIRE_SP; i++) ops.push_back(move(static_cast<uint8_t>(i + 1), i));
  return ops;
}

void put_before(CallPlan& plan, const std::vector<wire_op>& prologue) {
  plan.enter.insert(plan.enter.begin(), prologue.begin(), prologue.end());
  if (!plan.exit.empty()) plan.exit.insert(plan.exit.begin(), prologue.begin(), prologue.end());
}

/// Whether programs may do it along a straight line (kernel/syscalls/lane.bpf.h).
bool is_plain(const CallPlan& plan) {
  auto copies_from_registers = [](const wire_op& op) {
    constexpr uint8_t kPlain = WIRE_OP_COUNTED | WIRE_OP_HALF | WIRE_OP_IF_DONE | WIRE_OP_MAY_END;
    bool copies = op.kind == WIRE_OP_STRING || op.kind == WIRE_OP_BYTES;
    return copies && op.at < WIRE_REGS && op.count < WIRE_REGS && (op.flags & ~kPlain) == 0;
  };
  bool at_once = plan.flags & (WIRE_PLAN_AT_ENTER | WIRE_PLAN_STACK_AT_ENTER);
  return !at_once && plan.enter.size() + plan.exit.size() <= WIRE_PLAIN_OPS &&
         std::ranges::all_of(plan.enter, copies_from_registers) &&
         std::ranges::all_of(plan.exit, copies_from_registers);
}

/// Collects plans; the same ops are stored once.
class TableBuilder {
 public:
  explicit TableBuilder(const TraceRequest& request) : request_(request) {
    table_.calls.resize(size_t{WIRE_ABIS} * WIRE_CALLS);
    table_.ops.reserve(2048);
    table_.commands.reserve(2048);
    table_.command_plans.reserve(2048);
  }

  void add_call(Abi abi, uint32_t nr) {
    if (abi == Abi::I386 && (nr == kSelectNumber || nr == kSocketcallNumber || nr == kIpcNumber))
      return add_carrier(nr);
    if (!request_.calls.contains(abi, nr)) return;
    const SyscallDesc* desc = find_syscall(abi, nr);
    wire_plan& plan = table_.calls[index_of(abi, nr)];
    plan = desc ? stored(plan_of(*desc, abi, nr, request_)) : unknown_;
    if (desc && desc->commands) add_commands(*desc, abi, nr, plan);
  }

  PlanTable take() { return std::move(table_); }

 private:
  static uint32_t index_of(Abi abi, uint32_t nr) { return static_cast<uint32_t>(abi) * WIRE_CALLS + nr; }

  /// A call of i386 that carries others: reported if one of them is wanted.
  void add_carrier(uint32_t nr) {
    bool selects = nr == kSelectNumber;
    uint32_t parts = selects ? kSelectPart : nr == kIpcNumber ? kIpcParts : kSocketcallParts;
    uint32_t most = selects ? 0 : nr == kIpcNumber ? kMaxIpcs : kMaxSocketcalls;
    wire_plan& plan = table_.calls[index_of(Abi::I386, nr)];
    CallPlan unknown{WIRE_PLAN_AT_ENTER, {}, {}};
    if (request_.calls.contains(Abi::I386, nr)) unknown.flags |= WIRE_PLAN_WANTED;
    if (nr == kSocketcallNumber) unknown.enter.push_back(copy_of_arguments(1));
    plan = stored(unknown);
    for (uint32_t i = 0; i <= most; i++) add_part(nr, parts + i, i, plan);
  }
  void add_part(uint32_t nr, uint32_t part, uint32_t command, wire_plan& plan) {
    const SyscallDesc* desc = find_part(part);
    if (!desc || !request_.calls.contains(Abi::I386, part)) return;
    CallPlan carried = plan_of(*desc, Abi::I386, part, request_);
    bool in_memory = nr != kIpcNumber;
    uint8_t pointer = nr == kSelectNumber ? 0 : 1;
    put_before(carried, in_memory ? arguments_at(pointer) : shifted_arguments());
    if (in_memory) carried.enter.insert(carried.enter.begin(), copy_of_arguments(pointer));
    wire_plan wire = stored(carried);
    if (nr == kSelectNumber) {
      plan = wire;
      return;
    }
    plan.flags |= WIRE_PLAN_COMMANDS;
    plan.command_reg = 0;
    plan.command_mask = nr == kIpcNumber ? kIpcMask : ~0u;
    add_command_plan({index_of(Abi::I386, nr), command}, wire);
  }

  void add_commands(const SyscallDesc& desc, Abi abi, uint32_t nr, wire_plan& plan) {
    plan.flags |= WIRE_PLAN_COMMANDS;
    plan.command_reg = desc.commands->command_arg;
    plan.command_mask = static_cast<uint32_t>(desc.commands->command_mask);
    for (const CommandRow& row : desc.commands->rows) add_command(desc, abi, nr, row.command);
    if (desc.commands == &kIoctlTable)
      for (uint32_t command : ioctl_commands()) add_command(desc, abi, nr, command);
  }

  void add_command(const SyscallDesc& desc, Abi abi, uint32_t nr, uint64_t command) {
    if (command >> 32) return;
    wire_plan plan = stored(plan_of(desc, abi, nr, command, request_));
    if (same(plan, table_.calls[index_of(abi, nr)])) return;
    add_command_plan({index_of(abi, nr), static_cast<uint32_t>(command)}, plan);
  }

  void add_command_plan(wire_command command, const wire_plan& plan) {
    CHECK_THAT(table_.commands.size() < WIRE_COMMANDS);
    table_.calls[command.call].commands |= 1u << wire_bit_of(command.command);
    table_.commands.push_back(command);
    table_.command_plans.push_back(plan);
  }

  /// A command without memory needs no plan of its own where unknown commands have none either.
  static bool same(const wire_plan& command, const wire_plan& call) {
    return command.flags == (call.flags & ~WIRE_PLAN_COMMANDS) && command.enter_ops == call.enter_ops &&
           command.exit_ops == call.exit_ops && command.first == call.first;
  }

  static std::string bytes_of(const std::vector<wire_op>& ops) {
    return {reinterpret_cast<const char*>(ops.data()), ops.size() * sizeof(wire_op)};
  }

  wire_plan stored(const CallPlan& plan) {
    wire_plan wire{};
    wire.flags = plan.flags | (is_plain(plan) ? WIRE_PLAN_PLAIN : 0);
    wire.overlaps = plan.overlaps;
    wire.filled = plan.filled;
    if (plan.enter.empty() && plan.exit.empty()) return wire;
    std::string key = bytes_of(plan.enter) + bytes_of(plan.exit);
    auto [at, is_new] = places_.try_emplace(std::move(key), static_cast<uint32_t>(table_.ops.size()));
    CHECK_THAT(plan.enter.size() <= UINT8_MAX && plan.exit.size() <= UINT8_MAX);
    if (is_new) {
      table_.ops.insert(table_.ops.end(), plan.enter.begin(), plan.enter.end());
      table_.ops.insert(table_.ops.end(), plan.exit.begin(), plan.exit.end());
    }
    CHECK_THAT(table_.ops.size() <= WIRE_OPS);
    wire.first = at->second;
    wire.enter_ops = static_cast<uint8_t>(plan.enter.size());
    wire.exit_ops = static_cast<uint8_t>(plan.exit.size());
    return wire;
  }

  const TraceRequest& request_;
  PlanTable table_;
  std::unordered_map<std::string, uint32_t> places_;
  wire_plan unknown_ =
      stored(plan_of(unknown_syscall(), Abi::X86_64, WIRE_CALLS, request_));  ///< of all calls without a row
};

}  // namespace

PlanTable plans_for(const TraceRequest& request) {
  TableBuilder builder(request);
  for (Abi abi : {Abi::X86_64, Abi::I386, Abi::X32})
    for (uint32_t nr = 0; nr < WIRE_CALLS; nr++) builder.add_call(abi, nr);
  PlanTable table = builder.take();
  fill_buckets(table);
  return table;
}

}  // namespace strut
