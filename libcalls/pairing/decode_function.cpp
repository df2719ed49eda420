#include "libcalls/pairing/decode_function.hpp"

#include <algorithm>
#include <cstring>

#include "x86/argument_places.hpp"
#include "libcalls/prototypes/format_arguments.hpp"
#include "libcalls/prototypes/library_types.hpp"
#include "libcalls/pairing/syscall_arguments.hpp"
#include "syscalls/arg_plan.hpp"

namespace strut {

namespace {

using namespace notation;

/// The number of a Call that stands for a function: none. Sets of calls have it if they have the unknown ones.
constexpr uint32_t kNoNumber = kSyscallLimit;
/// And for a system call's row: nothing.
constexpr SyscallDesc kNoRow{"", kNone, kVoid, 0, {}};

constexpr ArgType kUnknownArgs[] = {arg("arg1", kGuess), arg("arg2", kGuess), arg("arg3", kGuess), arg("arg4", kGuess)};
constexpr FunctionDesc kUnknown{"", kGuess, kUnknownArgs, Varargs::No, Failure::Never, nullptr, FrameUse::Open, false};

/// No target has anything at such addresses: they are not canonical.
constexpr uint64_t kRegisterArea = 1ull << 63;
constexpr size_t kSlotBytes = 16;

/// Memory, and structures that came in registers as if they were in it.
class MemoryWithRegisters final : public Memory {
 public:
  explicit MemoryWithRegisters(Memory& memory) : memory_(memory) {}

  /// The address at which these eightbytes are read from now on.
  uint64_t put(uint64_t low, uint64_t high) {
    if (used_ + kSlotBytes > bytes_.size()) return 0;
    std::memcpy(bytes_.data() + used_, &low, sizeof low);
    std::memcpy(bytes_.data() + used_ + sizeof low, &high, sizeof high);
    used_ += kSlotBytes;
    return kRegisterArea + used_ - kSlotBytes;
  }

  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    if (raw(at) < kRegisterArea || raw(at) - kRegisterArea >= used_) return memory_.read(at, out);
    size_t from = raw(at) - kRegisterArea, count = std::min(out.size(), used_ - from);
    std::memcpy(out.data(), bytes_.data() + from, count);
    return {count, false};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override { return memory_.read_string(at, out); }

 private:
  Memory& memory_;
  std::array<std::byte, kSlotBytes * kMaxDecodedArgs> bytes_{};
  size_t used_ = 0;
};

/// Fetches arguments; replaces invisible ones by a type that says so.
class Fetching {
 public:
  Fetching(FunctionCall& call, const EntryRegisters& registers, MemoryWithRegisters& memory)
      : call_(call), registers_(registers), memory_(memory) {}

  void fetch(std::span<const ArgType> types) {
    ArgumentPlaces places = places_of(types, call_.desc->result);
    begin(types, places.count);
    for (size_t i = 0; i < places.count; i++) put(i, value_at(places.places[i]));
  }

  /// Arguments after the declared ones are in a va_list.
  void fetch_with_list(std::span<const ArgType> types) {
    size_t declared = call_.desc->args.size();
    std::optional<ArgumentList> list = list_behind();
    ArgumentPlaces places = places_of(types.first(declared), call_.desc->result);
    ArgumentPlaces listed = list ? places_in(*list, types.subspan(declared)) : ArgumentPlaces{};
    begin(types, std::min(types.size(), kMaxDecodedArgs));
    for (size_t i = 0; i < call_.arguments.values.size(); i++) {
      if (i < declared) put(i, value_at(places.places[i]));
      else put(i, list ? value_in(*list, listed.places[i - declared]) : std::nullopt);
    }
  }

 private:
  void begin(std::span<const ArgType> types, size_t count) {
    call_.arguments = {types, std::span(call_.values).first(count), &call_.desc->result};
  }
  void put(size_t index, std::optional<uint64_t> value) {
    call_.values[index] = value.value_or(0);
    if (!value) not_seen(index);
  }

  std::optional<uint64_t> word_at(uint64_t at) const {
    uint64_t bits = 0;
    bool all = memory_.read(Addr{at}, std::as_writable_bytes(std::span(&bits, 1))).bytes == sizeof bits;
    return all ? std::optional(bits) : std::nullopt;
  }

  std::optional<ArgumentList> list_behind() const {
    std::optional<uint64_t> at = value_at(place_behind(call_.desc->args, call_.desc->result));
    ArgumentList list{};
    if (!at || memory_.read(Addr{*at}, std::as_writable_bytes(std::span(&list, 1))).bytes != sizeof list)
      return std::nullopt;
    return list;
  }

  std::optional<uint64_t> value_in(const ArgumentList& list, const ArgumentPlace& place) const {
    uint64_t saved = raw(list.saved_registers), on_stack = raw(list.on_stack) + place.offset;
    switch (place.in) {
      case ArgumentPlace::In::Integer: return word_at(saved + place.index * sizeof(uint64_t));
      case ArgumentPlace::In::Floating: return word_at(saved + kSavedIntegerBytes + place.index * kSavedFloatingBytes);
      case ArgumentPlace::In::Stack: return word_at(on_stack);
      case ArgumentPlace::In::Memory: return on_stack;
      default: return std::nullopt;  // no conversion of a format takes a structure
    }
  }

  std::optional<uint64_t> piece(RegisterPiece piece) const {
    if (!piece.floating) return registers_.integers[piece.index];
    if (!registers_.has_floatings) return std::nullopt;
    return registers_.floatings[piece.index];
  }

  std::optional<uint64_t> value_at(const ArgumentPlace& place) const {
    constexpr uint64_t kReturnAddress = 8;
    uint64_t on_stack = raw(registers_.stack) + kReturnAddress + place.offset;
    switch (place.in) {
      case ArgumentPlace::In::Integer: return registers_.integers[place.index];
      case ArgumentPlace::In::Floating: return piece({true, place.index});
      case ArgumentPlace::In::Memory: return on_stack;
      case ArgumentPlace::In::Stack: return word_at(on_stack);
      case ArgumentPlace::In::Registers: {
        std::optional<uint64_t> low = piece(place.pieces[0]), high = place.bytes > 8 ? piece(place.pieces[1]) : 0;
        return low && high ? std::optional(memory_.put(*low, *high)) : std::nullopt;
      }
      case ArgumentPlace::In::X87: break;
    }
    return std::nullopt;
  }

  void not_seen(size_t index) {
    if (call_.varargs.empty()) {
      call_.varargs.assign(call_.arguments.types.begin(), call_.arguments.types.end());
      call_.arguments.types = call_.varargs;
    }
    call_.varargs[index].type = kUnseenArgument;
    call_.varargs[index].direction = Direction::In;
  }

  FunctionCall& call_;
  const EntryRegisters& registers_;
  MemoryWithRegisters& memory_;
};

bool add_variable_arguments(FunctionCall& call, Memory& memory) {
  switch (call.desc->varargs) {
    case Varargs::No: return false;
    case Varargs::Syscall: return add_syscall_arguments(call);
    default: return add_format_arguments(call, memory);
  }
}

/// The inputs of rows' conditions: the first six arguments, as system calls have them in registers.
void set_registers(FunctionCall& call) {
  call.call.regs = {};
  std::ranges::copy(call.arguments.values.first(std::min(call.arguments.values.size(), kRegisters)),
                    call.call.regs.begin());
}

std::optional<uint64_t> result_bits(const Type& type, const ReturnRegisters& registers, MemoryWithRegisters& memory) {
  ArgumentPlace place = result_place(type);
  auto piece = [&](RegisterPiece wanted) -> std::optional<uint64_t> {
    if (!wanted.floating) return wanted.index == 0 ? registers.rax : registers.rdx;
    if (!registers.has_floatings) return std::nullopt;
    return registers.floatings[wanted.index];
  };
  switch (place.in) {
    case ArgumentPlace::In::Floating: return piece({true, 0});
    case ArgumentPlace::In::Registers: {
      std::optional<uint64_t> low = piece(place.pieces[0]), high = place.bytes > 8 ? piece(place.pieces[1]) : 0;
      return low && high ? std::optional(memory.put(*low, *high)) : std::nullopt;
    }
    case ArgumentPlace::In::X87:
      return registers.has_floatings ? std::optional(memory.put(registers.x87[0], registers.x87[1])) : std::nullopt;
    default: return registers.rax;
  }
}

bool failed(const FunctionDesc& desc, uint64_t rax) {
  uint64_t bits = narrowed(desc.result, rax, Abi::X86_64);
  switch (desc.failure) {
    case Failure::Never: return false;
    case Failure::Negative: return static_cast<int64_t>(bits) < 0;
    case Failure::Null: return bits == 0;
    case Failure::AllOnes: return bits == ~0ull;
    case Failure::Number: return bits != 0;
  }
  return false;
}

}  // namespace

const FunctionDesc& unknown_function() { return kUnknown; }

void decode_entry(FunctionCall& call, const EntryRegisters& registers, DecodeContext scene, DecodedCall& out) {
  call.call.nr = kNoNumber;
  call.call.returned = false;
  call.call.error = 0;
  call.varargs.clear();
  call.integers = registers.integers;
  if (call.desc->syscall) {
    call.call.desc = call.desc->syscall;
    call.call.function = nullptr;
    call.call.regs = registers.integers;
    return decode_enter(call.call, scene, out);
  }
  MemoryWithRegisters memory(scene.memory);
  Fetching fetching(call, registers, memory);
  fetching.fetch(call.desc->args);
  if (add_variable_arguments(call, memory)) {
    if (has_list(call.desc->varargs)) fetching.fetch_with_list(call.varargs);
    else fetching.fetch(call.varargs);
  }
  call.call.desc = &kNoRow;
  call.call.function = &call.arguments;
  set_registers(call);
  decode_enter(call.call, {memory, scene.around, scene.options}, out);
}

void begin_unseen(FunctionCall& call, DecodedCall& out) {
  call.call.nr = kNoNumber;
  out.reset();
  call.varargs.clear();
  call.arguments = {{}, {}, &call.desc->result};
  call.call.desc = &kNoRow;
  call.call.function = &call.arguments;
}

void decode_return(FunctionCall& call, const ReturnRegisters& registers, int error_number, DecodeContext scene,
                   DecodedCall& out) {
  MemoryWithRegisters memory(scene.memory);
  DecodeContext with_registers{memory, scene.around, scene.options};
  std::optional<uint64_t> bits = result_bits(call.desc->result, registers, memory);
  const Type& result = bits ? call.desc->result : kUnseenArgument;
  call.arguments.result = &kVoid;
  if (!call.desc->syscall) call.call.function = &call.arguments;
  call.call.returned = true;
  call.returned_bits = registers.rax;
  call.call.result = static_cast<int64_t>(narrowed(call.desc->result, registers.rax, Abi::X86_64));
  call.call.error = 0;
  if (failed(*call.desc, registers.rax)) {
    bool is_number = call.desc->failure == Failure::Number;
    int number = is_number ? static_cast<int>(call.call.result) : error_number;
    call.call.error = number != 0 ? number : kErrnoUnseen;
  }
  if (scans(call.desc->varargs)) forget_unassigned(call);
  decode_exit(call.call, with_registers, out);
  Decoder decoder(call.call, with_registers, Phase::Exit, out);
  out.result = decoder.scalar(result, narrowed(result, bits.value_or(0), Abi::X86_64));
}

}  // namespace strut
