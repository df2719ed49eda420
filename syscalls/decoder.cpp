#include "syscalls/decoder.hpp"

#include "syscalls/arg_plan.hpp"
#include "syscalls/dump.hpp"
#include "syscalls/notation.hpp"

namespace strut {

namespace {

using namespace notation;

// -e raw names arguments by position (-N).
constexpr ArgType kRawArgs[kRegisters] = {hex("arg1"), hex("arg2"), hex("arg3"), hex("arg4"), hex("arg5"), hex("arg6")};

bool waits_for_result(const ArgType& type) {
  return type.direction == Direction::Out || type.type.length.from == LengthFrom::Result;
}

// Bytes, structures and lists, not an address.
bool is_content(const Value& value) {
  return std::holds_alternative<Text>(value.is) || std::holds_alternative<Struct>(value.is) ||
         std::holds_alternative<Array>(value.is);
}

// A structure with a member that its decoder has compared.
bool shows_change(const Value& value) {
  const Struct* structure = std::get_if<Struct>(&value.is);
  return structure && std::ranges::any_of(structure->fields, [](const FieldValue& member) {
           return std::holds_alternative<Change>(member.value.is);
         });
}

// A value shown as an address does not change: it is NULL, bad, or not followed.
bool may_change(const Value& value) {
  return !std::holds_alternative<Pointer>(value.is) && !std::holds_alternative<Unreadable>(value.is);
}

bool shows_address(const Value& value) { return !may_change(value) || std::holds_alternative<Unseen>(value.is); }

bool known(const ArgType& type, const Value& value) {
  if (type.remembered) return false;
  return type.direction == Direction::InOut ? !may_change(value) : !value.pending();
}

}  // namespace

Decoder::Decoder(const Call& call, DecodeContext scene, Phase phase, DecodedCall& out)
    : call_(call), scene_(scene), phase_(phase), out_(out), plan_(plan_args(call)) {}

void decode_enter(const Call& call, DecodeContext scene, DecodedCall& out) {
  out.reset();
  Decoder(call, scene, Phase::Enter, out).enter();
}

void decode_exit(const Call& call, DecodeContext scene, DecodedCall& out) {
  Decoder(call, scene, Phase::Exit, out).exit();
}

void Decoder::enter() {
  bool raw = options().raw.contains(call_.abi, call_.nr);
  if (raw) enter_raw();
  else if (call_.desc->custom) call_.desc->custom(*this, out_);
  else enter_by_row();
  out_.complete = out_.ready == out_.count && (raw || !plan_.aux);
}

void Decoder::enter_by_row() {
  bool all_ready = true;
  for (size_t i = 0; i < plan_.count; i++) {
    const PlannedArg& arg = plan_.args[i];
    if (!arg.present) continue;
    bool waits = waits_for_result(*arg.type) && !arg.type->remembered;
    Value value = waits ? Value{Pending{}, {}} : decoded(arg);
    all_ready = all_ready && known(*arg.type, value);
    out_.args[out_.count++] = {arg.type, value};
    if (all_ready) out_.ready = out_.count;
  }
}

void Decoder::enter_raw() {
  size_t count = registers_of(*call_.desc, call_.abi);
  for (size_t i = 0; i < count; i++) out_.args[i] = {&kRawArgs[i], number(register_of(call_, i), Show::Hex)};
  out_.count = out_.ready = count;
}

void Decoder::exit() {
  if (!call_.returned) return;
  if (!options().dump_reads.none() || !options().dump_writes.none()) out_.dumps = dumps_of(*this);
  bool succeeded = call_.error == 0;
  if (options().raw.contains(call_.abi, call_.nr)) {
    uint64_t result = narrowed(kHexLong, static_cast<uint64_t>(call_.result), register_abi(call_.abi));
    if (succeeded) out_.result = number(result, Show::Hex);
    return;
  }
  remember_entered();
  if (call_.desc->custom) {
    call_.desc->custom(*this, out_);
  } else {
    size_t position = 0;
    for (size_t i = 0; i < plan_.count && position < out_.count; i++)
      if (plan_.args[i].present) {
        Value& value = out_.args[position++].value;
        value = value_at_exit(i, value);
      }
  }
  if (!succeeded) return;
  uint64_t result = static_cast<uint64_t>(call_.result);
  // No descriptor has such a number: an injected result.
  bool no_fd =
      plan_.result->kind == Kind::Fd && call_.abi == Abi::X86_64 && call_.result != static_cast<int32_t>(call_.result);
  if (no_fd) out_.result = number(result, Show::Signed);
  else out_.result = scalar(*plan_.result, narrowed(*plan_.result, result, register_abi(call_.abi)));
  if (plan_.aux) out_.aux = plan_.aux(*this);
}

// An argument's earlier value is kept until the last one is decoded: lengths and changes need it.
void Decoder::remember_entered() {
  size_t position = 0;
  for (size_t i = 0; i < kMaxDecodedArgs && position < out_.count; i++) {
    entered_[entered_count_++] = nullptr;
    bool by_row = i < plan_.count && !call_.desc->custom;
    if (by_row && !plan_.args[i].present) continue;
    const Value& value = out_.args[position++].value;
    if (value.pending()) continue;
    bool replaced = !by_row || plan_.args[i].type->direction == Direction::InOut || plan_.args[i].type->remembered;
    entered_[i] = replaced ? arena().make(value) : &value;
  }
}

Value Decoder::value_at_exit(size_t index, const Value& entered) {
  const PlannedArg& arg = plan_.args[index];
  bool failed = call_.error != 0 && !arg.type->on_failure;
  if (arg.type->direction == Direction::InOut) {
    if (entered.pending()) return failed ? address(value_of(arg, call_)) : decoded(arg);
    if (failed || !may_change(entered)) return entered;
    Value after = decoded(arg);
    if (shows_address(entered) && shows_address(after)) return entered;
    if (shows_change(after)) return after;
    bool changed = (arg.type->shows_both && is_content(entered)) || !same(*entered_[index], after);
    return changed ? change(*entered_[index], after) : after;
  }
  if (!entered.pending() && !arg.type->remembered) return entered;
  return failed && !is_empty_array(arg.type->type) ? address(value_of(arg, call_)) : decoded(arg);
}

// Memory that a failed call was to fill in is undefined, unless its length is 0.
bool Decoder::is_empty_array(const Type& type) {
  LengthFrom from = type.length.from;
  if (type.kind != Kind::Pointer || (from != LengthFrom::Arg && from != LengthFrom::ArgPages)) return false;
  Kind item = type.element->kind;
  bool items = item == Kind::Custom ? type.element->custom_bytes != 0 : item != Kind::Bytes && item != Kind::SignalSet;
  return items && length(type.length) == 0;
}

Value Decoder::decoded(const PlannedArg& arg) { return scalar(arg.type->type, value_of(arg, call_)); }

bool Decoder::full() const {
  return !options().abbreviate.contains(call_.abi, call_.nr) && !options().raw.contains(call_.abi, call_.nr);
}

bool Decoder::dereferences() const { return options().dereference.contains(call_.abi, call_.nr); }

uint64_t Decoder::arg(size_t index) const {
  if (index < plan_.count) return value_of(plan_.args[index], call_);
  return index < kRegisters ? call_.regs[index] : 0;
}

const Value* Decoder::at_enter(size_t index) const { return index < entered_count_ ? entered_[index] : nullptr; }

// -- small values ---------------------------------------------------------------------------------

Value Decoder::descriptor(int32_t number, bool directory) {
  constexpr int32_t kCurrentDirectory = -100;  // AT_FDCWD of <linux/fcntl.h>
  Fd fd{number, nullptr, directory};
  bool may_be_open = number >= 0 || (directory && number == kCurrentDirectory);
  if (options().fd_targets && may_be_open)
    if (auto target = scene_.around.fd_target(number, options().fd_details))
      fd.target = &out_.fd_targets.emplace_back(std::move(*target));
  return {fd, {}};
}

Value Decoder::fd(int32_t number, bool unnamed) {
  return unnamed ? Value{Fd{number, nullptr, false}, {}} : descriptor(number, false);
}
Value Decoder::dir_fd(int32_t number) { return descriptor(number, true); }

Value Decoder::process_id(int32_t number, bool unnamed) {
  ProcessId id{number, {}, 0};
  if (number > 0 && options().comms && !unnamed)
    if (auto comm = scene_.around.comm(number)) id.comm = arena().copy(*comm);
  if (number > 0 && options().translate_pids)
    if (auto translated = scene_.around.translate_pid(number)) id.translated = *translated;
  return {id, {}};
}

Value Decoder::text(std::string_view bytes, TextKind kind, bool cut) {
  return {Text{arena().copy(bytes), kind, cut, false}, {}};
}

Value Decoder::fields(std::span<const FieldValue> fields, bool cut) { return {Struct{arena().copy(fields), cut}, {}}; }

Value Decoder::change(const Value& before, const Value& after) {
  return {Change{arena().make(before), arena().make(after)}, {}};
}

}  // namespace strut
