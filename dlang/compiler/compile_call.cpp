// Calls of subroutines. Most are one instruction, with the arguments in order as operands.
#include <array>

#include <sys/socket.h>

#include "dlang/compiler/checker.hpp"
#include "dlang/compiler/compiler.hpp"

namespace strut {
namespace {

/// The minor number's width in the kernel's dev_t (include/linux/kdev_t.h).
constexpr int kMinorBits = 20;

/// htons() and the like: how many bytes change their order on this machine.
uint32_t swapped_bytes(std::string_view name) {
  if (name == "htons" || name == "ntohs") return 2;
  if (name == "htonl" || name == "ntohl") return 4;
  return name == "htonll" || name == "ntohll" ? 8 : 0;
}

}  // namespace

void DCompiler::call_into(const DExpression& e, uint8_t to) {
  Mark before = mark();
  if (special_call_into(e, to)) return release(before);
  const DFunction& function = functions()[e.meaning.index];
  std::string_view operands = row_of(function.op).operands;
  std::array<int64_t, 4> values{};
  size_t argument = 0;
  for (size_t i = 0; i < operands.size(); i++) {
    bool given = argument < e.children.size();
    switch (operands[i]) {
      case 'd':
      case 't': values[i] = to; break;
      case 's': values[i] = text(e.child(argument++)); break;
      case 'r': values[i] = number(e.child(argument++)); break;
      case 'o': values[i] = given ? number(e.child(argument++)) : -1; break;
      default: break;
    }
  }
  emit(function.op, static_cast<unsigned>(values[0]), static_cast<unsigned>(values[1]),
       static_cast<unsigned>(values[2]), values[3]);
  release(before);
}

/// Calls by an instruction with an operand that is no argument.
bool DCompiler::special_call_into(const DExpression& e, uint8_t to) {
  if (functions()[e.meaning.index].op == DOp::End) return true;
  if (uint32_t bytes = swapped_bytes(e.text)) {
    number_into(e.child(0), to);
    emit(DOp::SwapBytes, to, to, 0, bytes);
  } else if (e.text == "getmajor" || e.text == "getminor") {
    device_part_into(e, to);
  } else if (e.text == "rand") {
    emit(DOp::Random, to);
    emit(DOp::Extend, to, to, 0, 4 | kSignedWidth);
  } else {
    return text_call_into(e, to);
  }
  return true;
}

/// Such calls of texts.
bool DCompiler::text_call_into(const DExpression& e, uint8_t to) {
  if (e.text == "lltostr") {
    int64_t base = e.children.size() > 1 ? constant_value(e.child(1)).value_or(10) : 10;
    emit(DOp::TextFromInteger, to, number(e.child(0)), 0, base);
  } else if (e.text == "strtoll") {
    uint8_t of = text(e.child(0)), base = new_integer(e.at);
    if (e.children.size() > 1) number_into(e.child(1), base);
    else constant_into(10, base);
    emit(DOp::TextToInteger, to, of, base);
  } else if (e.text == "strtok") {
    bool next = constant_value(e.child(0)) == 0;
    uint8_t of = next ? 0 : text(e.child(0));
    emit(next ? DOp::TextTokenNext : DOp::TextToken, to, of, text(e.child(1)));
  } else if (e.text == "inet_ntoa" || e.text == "inet_ntoa6") {
    uint8_t address = number(e.child(0)), family = new_integer(e.at);
    constant_into(e.text == "inet_ntoa" ? AF_INET : AF_INET6, family);
    emit(DOp::TextInet, to, family, address);
  } else {
    return false;
  }
  return true;
}

void DCompiler::device_part_into(const DExpression& e, uint8_t to) {
  bool major = e.text == "getmajor";
  uint8_t amount = new_integer(e.at);
  number_into(e.child(0), to);
  emit(DOp::Extend, to, to, 0, 4);
  constant_into(major ? kMinorBits : (1 << kMinorBits) - 1, amount);
  emit(major ? DOp::ShiftRightUnsigned : DOp::And, to, to, amount);
}

}  // namespace strut
