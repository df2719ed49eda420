#include "symtab/elf/usdt_arguments.hpp"

#include <algorithm>
#include <charconv>

namespace strut {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of "-4@" or "8f@" at the start of a text; 0: it does not begin an argument.
size_t prefix_of(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  size_t digits = at;
  while (at < text.size() && is_digit(text[at])) at++;
  if (at == digits || at > digits + 2) return 0;
  if (at < text.size() && text[at] == 'f') at++;
  return at < text.size() && text[at] == '@' ? at + 1 : 0;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// A number at the front, with a sign, decimal, hexadecimal or octal; taken off. 0 if there is none.
int64_t take_number(std::string_view& text) {
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  else if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) base = 8;
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{}) return 0;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return static_cast<int64_t>(negative ? 0 - value : value);
}

std::string_view take_register(std::string_view& text) {
  text = trimmed(text);
  if (!text.starts_with('%')) return {};
  size_t end = 1;
  while (end < text.size() && text[end] != ',' && text[end] != ')' && text[end] != ' ') end++;
  std::string_view name = text.substr(1, end - 1);
  text = trimmed(text.substr(end));
  return name;
}

/// (base,index,scale). False: it is something else.
bool take_registers(std::string_view text, UsdtArgument& argument) {
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  text = text.substr(1, text.size() - 2);
  argument.base = take_register(text);
  if (text.empty()) return !argument.base.empty();
  if (!text.starts_with(',')) return false;
  text.remove_prefix(1);
  argument.index = take_register(text);
  if (text.starts_with(',')) {
    text = trimmed(text.substr(1));
    argument.scale = static_cast<uint8_t>(take_number(text));
  }
  return text.empty() && !argument.index.empty();
}

void parse_operand(std::string_view operand, UsdtArgument& argument) {
  using Place = UsdtArgument::Place;
  if (operand.starts_with('%')) {
    argument.base = take_register(operand);
    argument.place = operand.empty() && !argument.base.empty() ? Place::Register : Place::Unknown;
    return;
  }
  bool constant = operand.starts_with('$');
  if (constant) operand.remove_prefix(1);
  size_t registers = std::min(operand.find('('), operand.size());
  std::string_view before = trimmed(operand.substr(0, registers));
  if (before.empty() || is_digit(before[0]) || before[0] == '-' || before[0] == '+')
    argument.displacement = take_number(before);
  size_t name_end = std::min(before.find_first_of("+-"), before.size());
  argument.symbol = before.substr(0, name_end);
  before = before.substr(name_end);
  if (!before.empty()) argument.displacement = take_number(before);
  if (!before.empty()) return;
  bool has_registers = registers < operand.size();
  if (constant) argument.place = has_registers ? Place::Unknown : Place::Constant;
  else if (!has_registers || take_registers(trimmed(operand.substr(registers)), argument))
    argument.place = Place::Memory;
}

UsdtArgument parse(std::string_view text) {
  UsdtArgument argument;
  argument.text = text;
  size_t prefix = prefix_of(text);
  std::string_view size = text.substr(0, prefix);
  argument.is_signed = size.starts_with('-');
  argument.is_float = size.find('f') != std::string_view::npos;
  if (prefix == 0) return argument;
  if (argument.is_signed) size.remove_prefix(1);
  argument.bytes = static_cast<uint8_t>(take_number(size));
  parse_operand(trimmed(text.substr(prefix)), argument);
  return argument;
}

}  // namespace

std::vector<UsdtArgument> usdt_arguments(std::string_view specification) {
  std::vector<UsdtArgument> arguments;
  std::string_view rest = trimmed(specification);
  while (!rest.empty()) {
    size_t end = 0;  // for this one: before a blank that the next one's size follows
    do {
      end = std::min(rest.find(' ', end + 1), rest.size());
    } while (end < rest.size() && prefix_of(trimmed(rest.substr(end))) == 0);
    arguments.push_back(parse(trimmed(rest.substr(0, end))));
    rest = trimmed(rest.substr(end));
  }
  return arguments;
}

}  // namespace strut
