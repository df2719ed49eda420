#include "formatters/ltrace/value.hpp"

#include "formatters/common/bit_set_text.hpp"
#include "formatters/common/float_text.hpp"
#include "formatters/common/number_text.hpp"
#include "formatters/common/value_text.hpp"

namespace strut {

namespace {

constexpr ValueLooks kNames{};

/// C's escapes where there are some, else three octal digits; a NUL is \0 whatever follows. Quotes stay as they are.
void put_byte(TextBuffer& out, char byte) {
  constexpr std::string_view kBytes("\a\b\t\n\v\f\r\\\0", 9), kLetters = "abtnvfr\\0";
  if (size_t at = kBytes.find(byte); at != std::string_view::npos) {
    out.put('\\');
    return out.put(kLetters[at]);
  }
  auto code = static_cast<uint8_t>(byte);
  if (code >= ' ' && code < 0x7f) return out.put(byte);
  out.put('\\');
  for (int shift : {6, 3, 0}) out.put(static_cast<char>('0' + (code >> shift & 7)));
}

class LtraceValue {
 public:
  LtraceValue(TextBuffer& out, size_t string_bytes) : out_(out), string_bytes_(string_bytes) {}

  void value(const Value& value) {
    std::visit([&](const auto& what) { put(what, value); }, value.is);
    if (!value.comment.empty() && !value.comment_first) put_comment(out_, value.comment);
  }

 private:
  // Formats a value as strace does.
  template <typename Other>
  void put(const Other&, const Value& whole) {
    put_value(out_, {whole.is, {}}, kNames);
  }
  void put(const Pending&, const Value&) { out_.put('?'); }
  void put(const Number& number, const Value&);
  void put(const Named& named, const Value&);
  void put(const Pointer& pointer, const Value&) { address(pointer.at); }
  void put(const Unreadable& unreadable, const Value&) { address(unreadable.at); }
  void put(const Unseen& unseen, const Value&) {
    if (raw(unseen.at) == 0) out_.put('?');
    else address(unseen.at);
  }
  void put(const Text& text, const Value&);
  void put(const Struct& structure, const Value&);
  void put(const Array& array, const Value& whole);
  void put(const Change& change, const Value&) {
    value(*change.before);
    out_.put(" => ");
    value(*change.after);
  }

  void address(Addr at) {
    if (raw(at) == 0) out_.put("nil");
    else out_.hex(raw(at));
  }
  void character(const Number& number);

  TextBuffer& out_;
  size_t string_bytes_;
};

// An int that is a character may also be EOF.
void LtraceValue::character(const Number& number) {
  constexpr uint64_t kBytes = 256;
  auto code = static_cast<int64_t>(number.bits);
  if (number.bytes > 1 && code == -1) return out_.put("EOF");
  if (number.bytes > 1 && number.bits >= kBytes) return out_.decimal(code);
  out_.put('\'');
  put_byte(out_, static_cast<char>(number.bits));
  out_.put('\'');
}

void LtraceValue::put(const Number& number, const Value&) {
  switch (number.show) {
    case Show::Octal:
      out_.put('0');
      if (number.bits == 0) return out_.put('0');
      return out_.fill(24, [&](char* to) { return std::to_chars(to, to + 24, number.bits, 8).ptr; });
    case Show::Char: return character(number);
    case Show::Float: return put_float(out_, number, "%f");
    default: return put_number(out_, number, kNames);
  }
}

// Enumerations of configuration files have no text for unnamed values.
void LtraceValue::put(const Named& named, const Value&) {
  if (named.set->naming != Naming::Enumeration || named.set->unknown != nullptr)
    return put_named(out_, named, NamesAs::Abbrev);
  if (const char* name = named.set->name_of(named.bits)) return out_.put(name);
  out_.decimal(static_cast<int64_t>(named.bits));
}

void LtraceValue::put(const Text& text, const Value&) {
  if (text.kind == TextKind::Bare) return out_.put(text.bytes);
  if (text.kind == TextKind::Bits) return put_bit_set(out_, text.bytes);
  out_.put('"');
  for (char byte : text.bytes) put_byte(out_, byte);
  out_.put('"');
  bool filled = text.kind == TextKind::Text && string_bytes_ != 0 && text.bytes.size() == string_bytes_;
  if (text.cut || filled) out_.put("...");
}

void LtraceValue::put(const Struct& structure, const Value&) {
  if (structure.cut && structure.fields.empty()) return out_.put("...");
  out_.put("{ ");
  bool first = true, left_out = structure.cut;
  for (const FieldValue& field : structure.fields) {
    left_out = left_out || field.detail;
    if (field.detail || field.value.absent()) continue;
    if (!first) out_.put(", ");
    first = false;
    if (!field.name.empty()) {
      out_.put(field.name);
      out_.put('=');
    }
    value(field.value);
  }
  if (left_out) out_.put(first ? "..." : ", ...");
  out_.put(" }");
}

void LtraceValue::put(const Array& array, const Value& whole) {
  if (array.style == ArrayStyle::Boxed && array.items.size() == 1) return value(array.items[0]);
  if (array.style != ArrayStyle::List) return put_value(out_, {whole.is, {}}, kNames);
  out_.put("[ ");
  bool first = true;
  for (const Value& item : array.items) {
    if (!first) out_.put(", ");
    first = false;
    value(item);
  }
  if (array.cut || raw(array.unreadable_at) != 0) out_.put("...");
  out_.put(" ]");
}

}  // namespace

void put_ltrace_value(TextBuffer& out, const Value& value, size_t string_bytes) {
  LtraceValue(out, string_bytes).value(value);
}

}  // namespace strut
