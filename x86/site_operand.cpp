#include "x86/site_operand.hpp"

#include <cstddef>

#include <sys/user.h>

#include "x86/displaced.hpp"
#include "x86/instruction.hpp"

namespace strut {
namespace {

#define PLACE(name) static_cast<uint8_t>(offsetof(user_regs_struct, name) / sizeof(uint64_t))
struct RegisterRow {
  std::string_view by_bytes[4];  ///< 8, 4, 2, 1
  uint8_t place;
};
constexpr RegisterRow kOperandRegisters[] = {
    {{"rax", "eax", "ax", "al"}, PLACE(rax)},      {{"rbx", "ebx", "bx", "bl"}, PLACE(rbx)},
    {{"rcx", "ecx", "cx", "cl"}, PLACE(rcx)},      {{"rdx", "edx", "dx", "dl"}, PLACE(rdx)},
    {{"rsi", "esi", "si", "sil"}, PLACE(rsi)},     {{"rdi", "edi", "di", "dil"}, PLACE(rdi)},
    {{"rbp", "ebp", "bp", "bpl"}, PLACE(rbp)},     {{"rsp", "esp", "sp", "spl"}, PLACE(rsp)},
    {{"r8", "r8d", "r8w", "r8b"}, PLACE(r8)},      {{"r9", "r9d", "r9w", "r9b"}, PLACE(r9)},
    {{"r10", "r10d", "r10w", "r10b"}, PLACE(r10)}, {{"r11", "r11d", "r11w", "r11b"}, PLACE(r11)},
    {{"r12", "r12d", "r12w", "r12b"}, PLACE(r12)}, {{"r13", "r13d", "r13w", "r13b"}, PLACE(r13)},
    {{"r14", "r14d", "r14w", "r14b"}, PLACE(r14)}, {{"r15", "r15d", "r15w", "r15b"}, PLACE(r15)},
    {{"rip", "eip", "ip", {}}, PLACE(rip)},
};
struct HighByte {
  std::string_view name;
  uint8_t place;
};
/// By Gpr::Number.
constexpr uint8_t kPlaces[] = {PLACE(rax), PLACE(rcx), PLACE(rdx), PLACE(rbx), PLACE(rsp), PLACE(rbp),
                               PLACE(rsi), PLACE(rdi), PLACE(r8),  PLACE(r9),  PLACE(r10), PLACE(r11),
                               PLACE(r12), PLACE(r13), PLACE(r14), PLACE(r15), PLACE(rip)};
constexpr uint8_t kFlagsPlace = PLACE(eflags);
constexpr HighByte kHighBytes[] = {{"ah", PLACE(rax)}, {"bh", PLACE(rbx)}, {"ch", PLACE(rcx)}, {"dh", PLACE(rdx)}};
#undef PLACE

uint64_t extended(uint64_t value, const SiteOperand& operand) {
  if (operand.bytes >= 8) return value;
  unsigned unused = 64 - operand.bytes * 8u;
  value <<= unused;
  return operand.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value) >> unused) : value >> unused;
}

uint64_t content_of(uint8_t place, std::span<const uint64_t> registers) {
  return place < registers.size() ? registers[place] : 0;
}

bool is_outcome(const SiteOperand& operand, std::span<const uint64_t> registers) {
  if (operand.condition != kNoCondition && !condition_holds(operand.condition, content_of(kFlagsPlace, registers)))
    return false;
  if (operand.base == SiteOperand::kNoRegister) return true;
  bool is_equal = extended(content_of(operand.base, registers), operand) == static_cast<uint64_t>(operand.displacement);
  return is_equal == (operand.displacement == 0);
}

}  // namespace

uint8_t register_place(uint8_t number) {
  return number < std::size(kPlaces) ? kPlaces[number] : SiteOperand::kNoRegister;
}

std::optional<RegisterPart> register_named(std::string_view name) {
  for (const RegisterRow& row : kOperandRegisters)
    for (unsigned i = 0; i < 4; i++)
      if (!name.empty() && row.by_bytes[i] == name) return RegisterPart{row.place, static_cast<uint8_t>(8 >> i), 0};
  for (const HighByte& high : kHighBytes)
    if (high.name == name) return RegisterPart{high.place, 1, 1};
  return std::nullopt;
}

SiteValue value_of(const SiteOperand& operand, std::span<const uint64_t> registers, Memory& memory) {
  using enum SiteOperand::Place;
  uint64_t base = content_of(operand.base, registers), at = static_cast<uint64_t>(operand.displacement) + base;
  uint64_t value = 0;
  switch (operand.place) {
    case Unknown: return {};
    case Constant: return {extended(at, operand), true};
    case Register: return {extended(base >> operand.skip * 8, operand), true};
    case Outcome: return {is_outcome(operand, registers), true};
    case Memory: break;
  }
  at += content_of(operand.index, registers) * operand.scale;
  auto into = std::as_writable_bytes(std::span(&value, 1)).first(operand.bytes);
  if (memory.read(Addr{at}, into).bytes != into.size()) return {at, false};
  return {extended(value, operand), true};
}

}  // namespace strut
