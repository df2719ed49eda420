#include "kassist/plans/plan.hpp"

#include <algorithm>
#include <string_view>

#include "kassist/plans/around.hpp"
#include "kassist/plans/plan_writer.hpp"
#include "syscalls/call.hpp"
#include "syscalls/dump.hpp"
#include "syscalls/types/bpf/bpf.hpp"
#include "syscalls/types/bpf/bpf_info.hpp"
#include "syscalls/types/bpf/bpf_layouts.hpp"
#include "syscalls/types/bpf/bpf_links.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"
#include "syscalls/types/memory/memory.hpp"
#include "syscalls/types/signal/signal.hpp"
#include "syscalls/types/socket/socket_options.hpp"

namespace strut {

namespace {

constexpr uint64_t kDumpBytes = 4u << 20;

// -- which calls are reported when they are entered -------------------------------------------------------

/// Calls with a return in another thread or in none: their registers and memory are replaced, or their children are
/// reported before they return.
bool is_reported_at_entry(const Effects& effects) {
  return effects.make_process() || effects.replace_program() || effects.have(kRestoresFrame) ||
         effects.have(kResumesCall);
}

// -- how much ---------------------------------------------------------------------------------------------

/// -P searches in calls that are shown raw, too.
bool filters_by_argument(const TraceRequest& request) {
  return !request.paths.empty() || !request.fds.empty() || request.fds_inverted;
}

CaptureLimits limits_of(const SyscallDesc& desc, Abi abi, uint32_t nr, const TraceRequest& request) {
  const DecodeOptions& options = request.decode;
  bool full = !options.abbreviate.contains(abi, nr) && !options.raw.contains(abi, nr);
  bool dumped = may_dump(desc, options);
  CaptureLimits limits;
  limits.text_bytes = dumped ? kDumpBytes : options.max_string_bytes + uint64_t{1};
  limits.items = full || dumped ? UINT32_MAX : options.max_string_bytes + uint64_t{1};
  limits.details = full;
  limits.around = surroundings_wanted(request);
  return limits;
}

// -- one plan -----------------------------------------------------------------------------------------------

bool is_bpf_attr(const Type& type) { return type.kind == Kind::Custom && type.custom == decode_bpf_attr; }

bool is_text_pointer(const Type& type) {
  return type.kind == Kind::Pointer && (type.element->kind == Kind::CString || type.element->kind == Kind::Bytes);
}

/// An argument of select(2), which the call overwrites, though its new value is shown after the result.
bool is_fd_set(const Type& type) {
  return type.reads && type.reads->kind == Kind::Pointer && type.reads->element->holds == Type::Holds::FdSet;
}

struct Pair {
  uint8_t text, filled;  ///< registers
  wire_overlap overlap;
};
constexpr Pair kPairs[] = {{0, 1, WIRE_TEXT_0_IN_1},
                           {0, 2, WIRE_TEXT_0_IN_2},
                           {1, 2, WIRE_TEXT_1_IN_2},
                           {1, 3, WIRE_TEXT_1_IN_3},
                           {1, 4, WIRE_TEXT_1_IN_4}};

/// Memory that a call fills in.
struct Filled {
  uint8_t reg;
  uint32_t bytes;  ///< 0: the next register says it
};

/// Writes the two phases of a call's plan.
class CallPlanner {
 public:
  CallPlanner(const Call& call, const TraceRequest& request)
      : call_(call),
        request_(request),
        args_(plan_args(call)),
        limits_(limits_of(*call.desc, call.abi, call.nr, request)) {}

  CallPlan plan() {
    CallPlan plan;
    plan.flags = WIRE_PLAN_WANTED;
    PlanWriter enter(args_, call_.abi, limits_), exit(args_, call_.abi, limits_at_exit());
    PlanWriter heads(args_, call_.abi, heads_only());
    if (request_.decode_arguments && shows_arguments()) {
      add_frames(enter);
      for (size_t i = 0; i < args_.count; i++) add_argument(i, enter, exit, heads);
      if (args_.result) exit.number(*args_.result, WIRE_RESULT, WIRE_OP_IF_DONE);
      Looks looks = looks_of(call_, limits_.around);
      for (const wire_op& look : looks.enter) enter.add(look);
      for (const wire_op& look : looks.exit) exit.add(look);
    }
    plan.enter = enter.take();
    plan.enter.insert(plan.enter.end(), heads.ops().begin(), heads.ops().end());
    plan.exit = exit.take();
    if (at_once() || !watch_overlaps(plan)) plan.flags |= WIRE_PLAN_AT_ENTER;
    else if (plan.overlaps != 0) plan.flags |= WIRE_PLAN_OVERLAPS;
    return plan;
  }

 private:
  /// -P searches in structures that are shown as addresses, and dumps are made of the buffers that these lead to.
  bool reads_what_is_not_shown() const {
    return filters_by_argument(request_) || may_dump(*call_.desc, request_.decode);
  }
  bool shows_arguments() const {
    return !request_.decode.raw.contains(call_.abi, call_.nr) || reads_what_is_not_shown();
  }
  /// The text after a result looks at all of an array, whatever -s is.
  CaptureLimits limits_at_exit() const {
    CaptureLimits limits = limits_;
    if (args_.aux) limits.items = UINT32_MAX;
    return limits;
  }
  CaptureLimits heads_only() const {
    CaptureLimits limits = limits_;
    limits.contents = false;
    return limits;
  }
  /// -e verbose: pointers to structures are not followed.
  bool follows(const Type& type) const {
    bool is_special = type.kind == Kind::Custom || type.kind == Kind::Either;
    return is_text_pointer(type) || is_special || reads_what_is_not_shown() ||
           request_.decode.dereference.contains(call_.abi, call_.nr);
  }

  static bool is_pointer(const Type& type) { return plain(type).kind == Kind::Pointer || type.reads; }

  void add_argument(size_t index, PlanWriter& enter, PlanWriter& exit, PlanWriter& heads) {
    const ArgType& arg = *args_.args[index].type;
    const Type& type = arg.type;
    if (!follows(type)) return;
    uint8_t if_done = arg.on_failure || call_.desc->custom ? uint8_t{0} : uint8_t{WIRE_OP_IF_DONE};
    if (arg.direction == Direction::Out || type.length.from == LengthFrom::Result)
      return add_output(index, if_done, enter, exit, heads);
    enter.argument(index, 0);
    add_option_memory(index, enter, 0);
    add_bpf_pointers(index, enter);
    if (is_text_pointer(type)) texts_.push_back(args_.args[index].reg);
    if (arg.direction == Direction::InOut) {
      exit.argument(index, if_done);
      remembers_ = true;
      return;
    }
    loads_ = loads_ || (is_pointer(type) && !is_text_pointer(type));
    if (is_fd_set(type)) filled_.push_back({args_.args[index].reg, 0});
    bool looked_at_again = args_.aux || call_.desc->custom;
    if (looked_at_again && !is_text_pointer(type)) exit.argument(index, if_done);
  }

  /// An argument with memory that the call fills.
  void add_output(size_t index, uint8_t if_done, PlanWriter& enter, PlanWriter& exit, PlanWriter& heads) {
    const ArgType& arg = *args_.args[index].type;
    bool by_result = arg.type.length.from == LengthFrom::Result;
    if (arg.remembered) heads.argument(index, 0);
    exit.argument(index, by_result ? uint8_t{WIRE_OP_IF_DONE} : if_done);
    add_option_memory(index, exit, if_done);
    if (arg.remembered) add_bpf_pointers(index, enter);
    add_bpf_pointers(index, exit);
    if (is_pointer(arg.type)) filled_.push_back({args_.args[index].reg, filled_bytes(arg.type)});
    remembers_ = remembers_ || arg.remembered;
  }

  /// What the value of a socket option leads to depends on the level and the option.
  void add_option_memory(size_t index, PlanWriter& writer, uint8_t flags) const {
    const Type& type = args_.args[index].type->type;
    if (type.kind != Kind::Custom || !limits_.details) return;
    for (const OptionMemory& memory : option_memory()) {
      if (type.custom != memory.decode) continue;
      writer.when(args_.args[1].reg, memory.level, memory.level, [&] {
        writer.when(args_.args[2].reg, memory.name, memory.name,
                    [&] { writer.pointed(*memory.value, args_.args[index].reg, flags); });
      });
    }
  }

  /// The content of union bpf_attr depends on the command.
  void add_bpf_pointers(size_t index, PlanWriter& writer) const {
    const Type& type = args_.args[index].type->type;
    if (type.kind != Kind::Pointer || !is_bpf_attr(*type.element)) return;
    constexpr std::byte kNothing[16] = {};
    BpfAttr attr = bpf_attr_of(static_cast<uint32_t>(call_.regs[0]), kNothing);
    uint8_t reg = args_.args[index].reg;
    if (static_cast<uint32_t>(call_.regs[0]) == kBpfLinkCreate) add_link_pointers(reg, writer);
    else if (attr.layout) writer.pointers_of(*attr.layout, reg);
    if (static_cast<uint32_t>(call_.regs[0]) == kBpfObjectInfo && limits_.details) add_object_pointers(reg, writer);
  }

  /// What is told of an object, read as a program's.
  static void add_object_pointers(uint8_t attr, PlanWriter& writer) {
    constexpr uint16_t kInfoOffset = 8;
    writer.file_behind(attr);
    uint8_t info = writer.loaded_number(attr, kInfoOffset, sizeof(uint64_t));
    if (info < WIRE_SLOTS) writer.pointers_of(kBpfProgramPointers, info);
  }

  /// The content of a link's part of the union depends on the fields before it.
  static void add_link_pointers(uint8_t attr, PlanWriter& writer) {
    uint8_t type = writer.loaded_number(attr, kBpfLinkAttachTypeOffset, sizeof(uint32_t));
    for (const BpfLinkRange& range : bpf_link_ranges())
      writer.when(type, range.first, range.last, [&] { writer.pointers_of(*range.layout, attr); });
  }

  /// Calls with arguments outside of registers.
  void add_frames(PlanWriter& enter) const {
    constexpr uint32_t kRtFrameBytes = 320,
                       kFrameBytes = 720;  // up to behind the masks: syscalls/types/signal/signal.cpp
    if (call_.desc->custom == decode_rt_sigreturn) enter.bytes(WIRE_SP, kRtFrameBytes, 0);
    if (call_.desc->custom == decode_sigreturn) enter.bytes(WIRE_SP, kFrameBytes, 0);
    if (call_.desc->custom == decode_old_mmap) enter.bytes(0, 6 * sizeof(uint32_t), 0);
  }

  // Memory that is copied at the return must still be as it was passed: a program may have it overwritten by passing it
  // elsewhere.
  bool at_once() const {
    if ((call_.desc->classes & kNeverReturns) || is_reported_at_entry(call_.effects())) return true;
    if (call_.effects().have(kOverwritesArguments) || is_overwritten_ioctl()) return true;
    return remembers_ || (loads_ && !filled_.empty()) || surroundings_change(*call_.desc, limits_.around);
  }

  /// How much a call fills in behind a pointer; 0: as the argument behind it says.
  uint32_t filled_bytes(const Type& type) const {
    bool whole =
        type.kind == Kind::Pointer && type.element->kind == Kind::Struct && type.length.from == LengthFrom::None;
    return whole ? static_cast<uint32_t>(size_of(*type.element, call_.abi)) : 0;
  }
  /// Strings are given, and something is filled in: hardly ever in the same place. false: kernel/syscalls/calls.bpf.h
  /// does not look at these registers, or in this ABI.
  bool watch_overlaps(CallPlan& plan) const {
    if (texts_.empty() || filled_.empty()) return true;
    if (filled_.size() > 1 || call_.abi == Abi::I386 || call_.desc->commands) return false;
    plan.filled = filled_[0].bytes;
    for (uint8_t text : texts_) {
      auto* pair =
          std::ranges::find_if(kPairs, [&](Pair pair) { return pair.text == text && pair.filled == filled_[0].reg; });
      if (pair == std::end(kPairs)) return false;
      plan.overlaps |= pair->overlap;
    }
    return true;
  }
  /// A command that reads and writes, and of which only the passed value is shown.
  bool is_overwritten_ioctl() const {
    constexpr uint64_t kReadsAndWrites = 3;  // _IOC_READ|_IOC_WRITE of <asm-generic/ioctl.h>
    return call_.desc->commands == &kIoctlTable && loads_ && call_.regs[1] >> 30 == kReadsAndWrites;
  }

  const Call& call_;
  const TraceRequest& request_;
  ArgPlan args_;
  CaptureLimits limits_;
  bool remembers_ = false;      ///< the decoder compares before and after
  bool loads_ = false;          ///< structures are passed …
  std::vector<uint8_t> texts_;  ///< registers of strings that are passed …
  std::vector<Filled> filled_;  ///< … and of the memory that is filled in
};

Call call_of(const SyscallDesc& desc, Abi abi, uint32_t nr) {
  Call call;
  call.desc = &desc;
  call.abi = abi;
  call.nr = nr;
  return call;
}

/// As many bytes as an ioctl command says, if it is of this type; 0: of any.
wire_op bytes_of_ioctl(uint64_t most, uint8_t type) {
  constexpr uint64_t kMaxBytes = 1u << 14;  // _IOC_SIZEBITS of <asm-generic/ioctl.h>
  wire_op bytes{};
  bytes.kind = WIRE_OP_BYTES;
  bytes.at = 2;
  bytes.count = 1;
  bytes.flags = WIRE_OP_COUNTED | WIRE_OP_HALF | WIRE_OP_IOCTL;
  bytes.to = type;
  bytes.element = 1;
  bytes.max = static_cast<uint32_t>(std::min(most, kMaxBytes));
  return bytes;
}

/// ioctl commands that are not known one by one. Those that have a row for all of their sizes are of few types; of the
/// others there are bytes, shown only in full.
CallPlan plan_of_unknown_ioctl(CallPlan plan, const CaptureLimits& limits) {
  std::vector<wire_op> copies;
  for (uint8_t type : sized_ioctl_types()) copies.push_back(bytes_of_ioctl(UINT64_MAX, type));
  if (limits.details) copies.push_back(bytes_of_ioctl(limits.text_bytes, 0));
  for (std::vector<wire_op>* ops : {&plan.enter, &plan.exit}) ops->insert(ops->end(), copies.begin(), copies.end());
  if (limits.details) plan.flags |= WIRE_PLAN_AT_ENTER;
  return plan;
}

/// Calls after which the stack is another, if they return at all.
bool changes_stack(const SyscallDesc& desc) {
  const Effects& effects = desc.effects;
  return effects.have(kRestoresFrame) || effects.replace_program() || (desc.classes & kNeverReturns) != 0;
}

}  // namespace

CallPlan plan_of(const SyscallDesc& desc, Abi abi, uint32_t nr, const TraceRequest& request) {
  Call call = call_of(desc, abi, nr);
  // A command that no row has: none of 64 bits is one.
  if (desc.commands) call.regs.fill(~0ull);
  CallPlan plan = CallPlanner(call, request).plan();
  if (request.stack_frames != 0 && changes_stack(desc)) plan.flags |= WIRE_PLAN_AT_ENTER | WIRE_PLAN_STACK_AT_ENTER;
  if (desc.commands != &kIoctlTable) return plan;
  return plan_of_unknown_ioctl(std::move(plan), limits_of(desc, abi, nr, request));
}

CallPlan plan_of(const SyscallDesc& desc, Abi abi, uint32_t nr, uint64_t command, const TraceRequest& request) {
  Call call = call_of(desc, abi, nr);
  call.regs[desc.commands->command_arg] = command;
  return CallPlanner(call, request).plan();
}

}  // namespace strut
