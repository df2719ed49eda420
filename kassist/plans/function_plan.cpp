#include "kassist/plans/function_plan.hpp"

#include <algorithm>
#include <cstddef>

#include "kassist/plans/plan_writer.hpp"
#include "syscalls/layout_plan.hpp"
#include "x86/argument_places.hpp"

namespace strut {

namespace {

constexpr uint16_t kReturnAddress = 8;  ///< bytes below the first stack argument
constexpr uint8_t kNoSlot = WIRE_SLOTS;
constexpr uint8_t kRegisters = 6;
/// Limits of a format's arguments: the words on the stack that are copied, and those of them that are followed.
constexpr uint32_t kFormatWords = kMaxDecodedArgs, kFormatPointers = 4;
constexpr uint16_t kWord = 8;
/// Members of a va_list (x86/argument_places.hpp).
constexpr uint16_t kListedStack = offsetof(ArgumentList, on_stack),
                   kSavedRegisters = offsetof(ArgumentList, saved_registers);
/// For a format in wchar_t: characters are 4 bytes.
constexpr uint32_t kWideFormatBytes = 1024;
/// The size of scanf's results besides strings: at most a long double.
constexpr uint64_t kLeastScanned = 16;

/// Whatever an argument of this type would be: a pointer's slot, or a number's that others are counted by.
bool is_reachable(const ArgumentPlace& place) {
  return place.in == ArgumentPlace::In::Integer || place.in == ArgumentPlace::In::Stack;
}

CaptureLimits limits_of(const TraceRequest& request) {
  CaptureLimits limits;
  limits.text_bytes = request.decode.max_string_bytes + uint64_t{1};
  limits.items = request.decode.most_items() + uint64_t{1};
  limits.around = surroundings_wanted(request);
  return limits;
}

uint8_t wire_use(const FloatingUse& use) {
  return static_cast<uint8_t>((use.takes ? WIRE_TAKES_FLOATINGS : 0) | (use.may_take ? WIRE_MAY_TAKE_FLOATINGS : 0) |
                              (use.returns ? WIRE_RETURNS_FLOATINGS : 0));
}

class FunctionPlanner {
 public:
  FunctionPlanner(const FunctionDesc& desc, const TraceRequest& request)
      : desc_(desc),
        limits_(limits_of(request)),
        places_(places_of(desc.args, desc.result)),
        enter_(args_, Abi::X86_64, limits_),
        exit_(args_, Abi::X86_64, limits_) {
    place_arguments();
  }

  CallPlan plan() {
    for (size_t i = 0; i < args_.count; i++) add_argument(i);
    add_behind();
    add_result();
    CallPlan plan;
    plan.flags = saves_ ? WIRE_PLAN_SAVES : 0;
    plan.floatings = wire_use(floating_use(desc_));
    plan.enter = enter_.take();
    plan.exit = exit_.take();
    return plan;
  }

 private:
  void place_arguments() {
    args_.result = &desc_.result;
    for (size_t i = 0; i < places_.count; i++) {
      const ArgumentPlace& place = places_.places[i];
      uint8_t slot = kNoSlot;
      if (place.in == ArgumentPlace::In::Integer) slot = place.index;
      if (place.in == ArgumentPlace::In::Stack) slot = slot_of_word(place.offset);
      if (place.in == ArgumentPlace::In::Memory) copy_object(desc_.args[i].type, place.offset);
      args_.args[args_.count++] = {&desc_.args[i], slot, false, true};
    }
  }

  /// A stack argument in a slot of its own, in both phases. The decoder reads the word itself, too.
  uint8_t slot_of_word(uint32_t offset) {
    auto at = static_cast<uint16_t>(kReturnAddress + offset);
    enter_.bytes(WIRE_SP, sizeof(uint64_t), 0, at);
    uint8_t slot = enter_.loaded_word(WIRE_SP, at);
    exit_.leave_out(slot);
    return slot;
  }

  void copy_object(const Type& type, uint32_t offset) {
    enter_.object_at(type, WIRE_SP, static_cast<uint16_t>(kReturnAddress + offset));
  }

  void add_argument(size_t index) {
    const ArgType& arg = *args_.args[index].type;
    if (places_.places[index].in == ArgumentPlace::In::Registers && arg.type.kind == Kind::Struct)
      return add_pieces(*arg.type.layout, 0, places_.places[index]);
    if (!is_reachable(places_.places[index]) || args_.args[index].reg >= kNoSlot) return;
    if (has_format() && index + 1 == args_.count) return add_format(arg.type, args_.args[index].reg);
    bool by_result = arg.type.length.from == LengthFrom::Result;
    bool is_pointer = plain(arg.type).kind == Kind::Pointer || arg.type.reads;
    if (arg.direction == Direction::In && !by_result) return enter_.argument(index, 0);
    if (arg.direction == Direction::InOut) enter_.argument(index, 0);
    if (!is_pointer) return;
    exit_.argument(index, 0);
    saves_ = true;
  }

  /// The pointers of a structure that came in registers: each is in one of its own, and so is a number that counts.
  void add_pieces(const StructLayout& layout, size_t base, const ArgumentPlace& place) {
    auto slot_of = [&](size_t field) {
      size_t at = base + strut::plan_of(layout, Abi::X86_64).places[field].at;
      const RegisterPiece& piece = place.pieces[std::min<size_t>(at / kWord, 1)];
      return at % kWord != 0 || at >= 2 * kWord || piece.floating ? kNoSlot : piece.index;
    };
    for (size_t i = 0; i < layout.fields.size(); i++) {
      const Type& type = layout.fields[i].type;
      uint8_t slot = slot_of(i);
      if (type.kind == Kind::Struct)
        add_pieces(*type.layout, base + strut::plan_of(layout, Abi::X86_64).places[i].at, place);
      if (type.kind != Kind::Pointer || slot == kNoSlot) continue;
      if (type.length.from != LengthFrom::Field) enter_.pointed(type, slot);
      else if (uint8_t counter = slot_of(type.length.index); counter != kNoSlot) enter_.counted_by(type, slot, counter);
    }
  }

  bool has_format() const { return desc_.varargs != Varargs::No && desc_.varargs != Varargs::Syscall; }

  /// The arguments after the declared ones.
  void add_behind() {
    switch (desc_.varargs) {
      case Varargs::No: return;
      case Varargs::Syscall: return enter_.bytes(WIRE_SP, sizeof(uint64_t), WIRE_OP_MAY_END, kReturnAddress);
      case Varargs::PrintfList:
      case Varargs::ScanfList: return add_list();
      default: return add_varargs();
    }
  }

  /// All of it, whatever is shown: it says which arguments there are.
  void add_format(const Type& type, uint8_t slot) {
    bool is_wide = type.kind == Kind::Pointer && type.element->kind == Kind::Custom;  // kWideString
    if (is_wide) enter_.bytes(slot, kWideFormatBytes, WIRE_OP_MAY_END);
    else enter_.text(slot, kLongestFormat, 0);
  }

  /// The arguments of a format are not known here: every word that looks like a pointer is followed.
  void add_varargs() {
    uint32_t words = first_free_word();
    enter_.bytes(WIRE_SP, kFormatWords * sizeof(uint64_t), WIRE_OP_MAY_END,
                 static_cast<uint16_t>(kReturnAddress + words * 8));
    for (uint8_t reg = first_free_register(); reg < kRegisters; reg++) add_vararg(reg);
    for (uint32_t i = 0; i < kFormatPointers; i++) {
      uint8_t slot = enter_.loaded_word(WIRE_SP, static_cast<uint16_t>(kReturnAddress + (words + i) * 8));
      if (slot >= kNoSlot) break;
      exit_.leave_out(slot);
      add_vararg(slot);
    }
    saves_ = saves_ || scans();
  }
  bool scans() const { return strut::scans(desc_.varargs); }
  /// A number, or a string, possibly of wide characters.
  uint32_t scanned_bytes() const {
    uint64_t wide = std::min<uint64_t>(limits_.text_bytes * sizeof(wchar_t), WIRE_CHUNK_MAX);
    return static_cast<uint32_t>(std::max({limits_.text_bytes, wide, kLeastScanned}));
  }
  void add_vararg(uint8_t slot) {
    if (scans()) exit_.bytes(slot, scanned_bytes(), WIRE_OP_MAY_END);
    else enter_.narrow_or_wide(slot, limits_.text_bytes);
  }
  /// A va_list likewise: its saved registers, its part of the stack, and the memory that these point to.
  void add_list() {
    ArgumentPlace place = place_behind(desc_.args, desc_.result);
    uint8_t list = place.in == ArgumentPlace::In::Integer ? place.index : slot_of_word(place.offset);
    if (list >= kNoSlot) return;
    enter_.bytes(list, sizeof(ArgumentList), 0);
    uint8_t taken = enter_.loaded_number(list, 0, sizeof(uint32_t)), saved = enter_.loaded_word(list, kSavedRegisters),
            on_stack = enter_.loaded_word(list, kListedStack);
    if (on_stack >= kNoSlot) return;
    enter_.bytes(saved, kSavedRegisterBytes, WIRE_OP_MAY_END);
    enter_.bytes(on_stack, kFormatWords * sizeof(uint64_t), WIRE_OP_MAY_END);
    // Scanned values are present at the return, where the list itself may have been read to its end.
    exit_.leave_out(on_stack);
    saves_ = saves_ || scans();
    // Registers that came before the list's first were not saved: anything may be there.
    for (uint16_t at = 0; at < kRegisters * kWord; at += kWord)
      (scans() ? exit_ : enter_).when(taken, 0, at, [&] { add_listed(saved, at); });
    for (uint16_t at = 0; at < kFormatPointers * kWord; at += kWord) add_listed(on_stack, at);
  }
  void add_listed(uint8_t area, uint16_t at) {
    if (scans()) exit_.bytes_behind(area, at, scanned_bytes());
    else enter_.narrow_or_wide_at(area, at, limits_.text_bytes);
  }

  uint8_t first_free_register() const {
    uint8_t next = 0;
    for (size_t i = 0; i < places_.count; i++)
      if (places_.places[i].in == ArgumentPlace::In::Integer)
        next = std::max<uint8_t>(next, places_.places[i].index + 1);
    return next;
  }
  uint32_t first_free_word() const {
    uint32_t next = 0;
    for (size_t i = 0; i < places_.count; i++)
      if (places_.places[i].in == ArgumentPlace::In::Stack) next = std::max(next, places_.places[i].offset / 8 + 1);
    return next;
  }

  void add_result() {
    bool points = plain(desc_.result).kind == Kind::Pointer || desc_.result.reads;
    if (result_place(desc_.result).in == ArgumentPlace::In::Memory) exit_.object_at(desc_.result, WIRE_RESULT, 0);
    else exit_.pointed(desc_.result, WIRE_RESULT);
    LengthFrom counted = desc_.result.length.from;
    if (points && counted != LengthFrom::None && counted != LengthFrom::Fixed) saves_ = true;
  }

  const FunctionDesc& desc_;
  CaptureLimits limits_;
  ArgumentPlaces places_;
  ArgPlan args_{};
  PlanWriter enter_, exit_;
  bool saves_ = false;
};

}  // namespace

CallPlan plan_of(const FunctionDesc& desc, const TraceRequest& request) {
  if (!desc.syscall) return FunctionPlanner(desc, request).plan();
  CallPlan plan = plan_of(*desc.syscall, Abi::X86_64, WIRE_CALLS, request);
  plan.flags = plan.exit.empty() ? 0 : WIRE_PLAN_SAVES;
  return plan;
}

}  // namespace strut
