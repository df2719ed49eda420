#include "symtab/dwarf/call_frames.hpp"

#include <algorithm>
#include <cstdlib>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "symtab/dwarf/call_frame_check.hpp"
#include "symtab/elf/byte_reader.hpp"

namespace strut {
namespace {

/// The registers that a walk needs: the general ones and the instruction pointer, by their numbers in DWARF.
int register_count(uint16_t machine) { return machine == EM_386 ? 9 : 17; }
int stack_pointer(uint16_t machine) { return machine == EM_386 ? 4 : 7; }

/// libdw's operations as plain data. Branches that lead to no operation lead to the end, where nothing is left to do.
FrameExpression expression_of(std::span<const Dwarf_Op> operations) {
  FrameExpression expression;
  for (const Dwarf_Op& operation : operations) {
    FrameOperation& copy = expression.emplace_back(operation.atom, operation.number, operation.number2);
    if (operation.atom != DW_OP_bra && operation.atom != DW_OP_skip) continue;
    constexpr uint64_t kBranchBytes = 3;
    uint64_t target = operation.offset + kBranchBytes + operation.number;
    auto there = std::ranges::find(operations, target, &Dwarf_Op::offset);
    copy.branches_to = static_cast<uint32_t>(there - operations.begin());
  }
  return expression;
}

/// The offset from the CFA of an operation; nullopt: it is another operation.
std::optional<int64_t> offset_from_cfa(std::span<const Dwarf_Op> operations) {
  if (operations.empty() || operations[0].atom != DW_OP_call_frame_cfa) return std::nullopt;
  if (operations.size() == 1) return 0;
  if (operations.size() > 2 || operations[1].atom != DW_OP_plus_uconst) return std::nullopt;
  return static_cast<int64_t>(operations[1].number);
}

/// For a location description (dwarf_frame_register in libdw.h): the value's place, or with DW_OP_stack_value at its
/// end the value.
CallerRule rule_of(std::span<const Dwarf_Op> operations) {
  using By = CallerRule::By;
  if (operations.empty()) return {};
  if (operations[0].atom == DW_OP_regx) return {By::Register, static_cast<int64_t>(operations[0].number)};
  bool is_value = operations.back().atom == DW_OP_stack_value;
  if (is_value) operations = operations.first(operations.size() - 1);
  if (auto offset = offset_from_cfa(operations)) return {is_value ? By::Value : By::Saved, *offset};
  return {is_value ? By::ValueOf : By::SavedAt, 0, expression_of(operations)};
}

std::span<const unsigned char> unsigned_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

/// False: PT_GNU_EH_FRAME, which libdw goes by, leads elsewhere than the sections do.
bool agrees(const Segment& by_segment, const Section& header, const Section& frames, std::span<const std::byte> bytes) {
  constexpr uint8_t kRelative4 = DW_EH_PE_pcrel | DW_EH_PE_sdata4;
  ByteReader reader(bytes);
  reader.skip(1);
  if (reader.take<uint8_t>() != kRelative4) return false;
  reader.skip(2);
  int64_t distance = static_cast<int64_t>(reader.at()) + int64_t{reader.take<int32_t>()};
  auto frames_at = [&](uint64_t header_at) { return header_at + static_cast<uint64_t>(distance); };
  return reader.ok() && header.offset == by_segment.offset && header.address == by_segment.address &&
         frames.offset == frames_at(header.offset) && frames.address == frames_at(header.address);
}

/// Where the file has call frame information. nullopt: it has none, or is not of one mind where.
std::optional<CallFrameBytes> bytes_of(const ElfFile& file) {
  CallFrameBytes found;
  const Section *frames = file.section(".eh_frame"), *header = file.section(".eh_frame_hdr");
  if (!frames) return std::nullopt;
  found.ident = unsigned_bytes(file.bytes().first(EI_NIDENT));
  found.frames = unsigned_bytes(file.contents(*frames));
  found.frames_address = frames->address;
  if (header) {
    found.header = unsigned_bytes(file.contents(*header));
    found.header_address = header->address;
  }
  if (!file.frame_header()) return found;
  bool is_clear = header && agrees(*file.frame_header(), *header, *frames, file.contents(*header));
  return is_clear ? std::optional(found) : std::nullopt;
}

}  // namespace

struct CallFrames::State {
  explicit State(const ElfFile& file) : file(file) {}
  State(const State&) = delete;
  ~State() {
    if (cfi) ::dwarf_cfi_end(cfi);
    if (elf) ::elf_end(elf);
  }

  void open();
  std::optional<CallerRules> rules_of(Dwarf_Frame* frame) const;
  bool take_cfa(Dwarf_Frame* frame, CallerRules& rules) const;

  const ElfFile& file;
  bool opened = false;
  Elf* elf = nullptr;
  Dwarf_CFI* cfi = nullptr;  ///< nullptr: there is none
};

void CallFrames::State::open() {
  opened = true;
  if (file.machine() != EM_X86_64 && file.machine() != EM_386) return;
  auto bytes = bytes_of(file);
  if (!bytes || !call_frames_are_bounded(*bytes)) return;
  auto* image = const_cast<char*>(reinterpret_cast<const char*>(file.bytes().data()));
  elf = ::elf_memory(image, file.bytes().size());
  if (elf) cfi = ::dwarf_getcfi_elf(elf);
}

/// False: it is not known, or is a register's that a walk does not know.
bool CallFrames::State::take_cfa(Dwarf_Frame* frame, CallerRules& rules) const {
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (::dwarf_frame_cfa(frame, &operations, &count) != 0 || count == 0) return false;
  const Dwarf_Op& first = operations[0];
  if (count != 1 || first.atom != DW_OP_bregx) {
    rules.cfa_expression = expression_of(std::span(operations, count));
    return true;
  }
  rules.cfa_register = static_cast<uint8_t>(first.number);
  rules.cfa_offset = static_cast<int64_t>(first.number2);
  return first.number < static_cast<uint64_t>(register_count(file.machine()));
}

std::optional<CallerRules> CallFrames::State::rules_of(Dwarf_Frame* frame) const {
  CallerRules rules;
  int return_register = ::dwarf_frame_info(frame, nullptr, nullptr, &rules.signal_frame);
  if (return_register < 0 || !take_cfa(frame, rules)) return std::nullopt;
  int count = register_count(file.machine());
  for (int number = 0; number < count; number++) {
    bool is_return = number == count - 1;
    if (number == stack_pointer(file.machine())) continue;
    Dwarf_Op memory[3], *operations = nullptr;
    size_t length = 0;
    if (::dwarf_frame_register(frame, is_return ? return_register : number, memory, &operations, &length) != 0)
      return std::nullopt;
    // As it is. A register that no instruction names counts as one that keeps its value: whether libdw calls it
    // undefined depends on its defaults, which in 0.188 know rax, not rbx, to be kept.
    if (!operations || (length == 0 && !is_return)) continue;
    rules.changes.push_back({static_cast<uint8_t>(number), rule_of(std::span(operations, length))});
    if (is_return) rules.outermost = length == 0;
  }
  return rules;
}

CallFrames::CallFrames(const ElfFile& file) : state_(std::make_unique<State>(file)) {}
CallFrames::CallFrames(CallFrames&&) noexcept = default;
CallFrames::~CallFrames() = default;

std::optional<CallerRules> CallFrames::at(uint64_t address) const {
  if (!state_->opened) state_->open();
  Dwarf_Frame* frame = nullptr;
  if (!state_->cfi || ::dwarf_cfi_addrframe(state_->cfi, address, &frame) != 0) return std::nullopt;
  auto rules = state_->rules_of(frame);
  std::free(frame);
  return rules;
}

}  // namespace strut
