#include "dlang/output/printed_type.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "dlang/language/characters.hpp"
#include "dlang/output/format_text.hpp"

namespace strut {
namespace {

uint64_t integer_at(std::string_view bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

std::string hexadecimal(uint64_t value) {
  char digits[24];
  char* end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return (value == 0 ? "" : "0x") + std::string(digits, end);
}

class Printing {
 public:
  explicit Printing(const std::vector<DPrintedType>& types) : types_(types) {}

  std::string value(uint32_t index, std::string_view bytes, const DPrintedMember* member, int depth) const {
    const DPrintedType& type = types_[index];
    switch (type.kind) {
      case DPrintedType::Kind::Integer: return integer(type, bytes, member);
      case DPrintedType::Kind::Float: return float_text(bytes.substr(0, type.bytes), 6, 'f');
      case DPrintedType::Kind::Pointer: return hexadecimal(integer_at(bytes.substr(0, type.bytes)));
      case DPrintedType::Kind::Array: return array(type, bytes, depth);
      case DPrintedType::Kind::Structure: return structure(type, bytes, depth);
    }
    return {};
  }

 private:
  static std::string integer(const DPrintedType& type, std::string_view bytes, const DPrintedMember* member) {
    uint64_t value = integer_at(bytes.substr(0, type.bytes));
    if (member != nullptr && member->bits != 0)
      value = value << (64 - member->bits - member->first_bit) >> (64 - member->bits);
    auto narrow = static_cast<int64_t>(type.bytes == 4 ? static_cast<int32_t>(value) : static_cast<int64_t>(value));
    for (const auto& [name, number] : type.enumerators)
      if (number == narrow) return name;
    bool character = type.bytes == 1 && is_printable(static_cast<char>(value));
    return character ? std::string("'") + static_cast<char>(value) + '\'' : hexadecimal(value);
  }

  std::string array(const DPrintedType& type, std::string_view bytes, int depth) const {
    const DPrintedType& element = types_[type.element];
    bool characters = element.kind == DPrintedType::Kind::Integer && element.bytes == 1;
    std::string_view text = bytes.substr(0, type.bytes);
    if (characters && is_text(text)) return "[ \"" + escaped_text(text.substr(0, text.find('\0'))) + "\" ]";
    std::string out = "[ ";
    for (uint32_t at = 0; element.bytes != 0 && at < type.bytes; at += element.bytes)
      out += (at == 0 ? "" : ", ") + value(type.element, part(bytes, at), nullptr, depth);
    return out + " ]";
  }

  std::string structure(const DPrintedType& type, std::string_view bytes, int depth) const {
    std::string out = "{\n";
    for (const DPrintedMember& member : type.members) {
      out.append(static_cast<size_t>(depth + 1) * 4, ' ');
      out += types_[member.type].name + (member.name.empty() ? "" : " " + member.name) + " = ";
      out += value(member.type, part(bytes, member.offset_bytes), &member, depth + 1) + '\n';
    }
    out.append(static_cast<size_t>(depth) * 4, ' ');
    return out + '}';
  }

  static std::string_view part(std::string_view bytes, size_t from) {
    return bytes.substr(std::min(from, bytes.size()));
  }

  /// Printable characters up to a NUL.
  static bool is_text(std::string_view bytes) {
    std::string_view text = bytes.substr(0, bytes.find('\0'));
    return std::ranges::all_of(text, [](char c) { return is_printable(c); });
  }

  const std::vector<DPrintedType>& types_;
};

}  // namespace

std::string float_text(std::string_view bytes, int precision, char letter) {
  long double value = 0;
  if (bytes.size() == sizeof(float)) {
    float narrow = 0;
    std::memcpy(&narrow, bytes.data(), sizeof narrow);
    value = static_cast<long double>(narrow);
  } else if (bytes.size() == sizeof(double)) {
    double plain = 0;
    std::memcpy(&plain, bytes.data(), sizeof plain);
    value = static_cast<long double>(plain);
  } else {
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  }
  char format[] = {'%', '.', '*', 'L', letter, '\0'};
  char text[5200];  // as many digits as the largest long double has, and a precision
  int size = std::snprintf(text, sizeof text, format, std::clamp(precision, 0, 64), value);
  return {text, static_cast<size_t>(std::clamp<int>(size, 0, sizeof text - 1))};
}

bool is_sound(const std::vector<DPrintedType>& types, size_t index) {
  const DPrintedType& type = types[index];
  return (type.kind != DPrintedType::Kind::Array || type.element < index) &&
         std::ranges::all_of(type.members, [&](const DPrintedMember& member) {
           return member.type < index && member.bits + member.first_bit <= 64;
         });
}

std::string printed(const std::vector<DPrintedType>& types, uint32_t type, std::string_view bytes) {
  return types[type].name + ' ' + Printing(types).value(type, bytes, nullptr, 0);
}

}  // namespace strut
