#include "formatters/truss/value.hpp"

#include "formatters/common/quote.hpp"
#include "formatters/common/value_text.hpp"

namespace strut {

namespace {

constexpr size_t kBesideCall = 12;

constexpr ValueLooks kLooks{.full = true};

struct Escape {
  char byte;
  char letter;
};
constexpr Escape kEscapes[] = {{'\0', '0'}, {'\a', 'a'}, {'\b', 'b'}, {'\t', 't'},
                               {'\n', 'n'}, {'\v', 'v'}, {'\f', 'f'}, {'\r', 'r'}};

class TrussValue {
 public:
  explicit TrussValue(TextBuffer& out) : out_(out) {}
  void value(const Value& value) {
    std::visit([&](const auto& is) { put(is, value); }, value.is);
  }

 private:
  template <typename Is>
  void put(const Is&, const Value& whole) {
    put_value(out_, {whole.is, {}}, kLooks);
  }
  void put(const Pending&, const Value&) { out_.put('?'); }
  void put(const Pointer& pointer, const Value&) { put_truss_hex(out_, raw(pointer.at)); }
  void put(const Unreadable& unreadable, const Value&) { put_truss_hex(out_, raw(unreadable.at)); }
  void put(const Unseen& unseen, const Value&) { put_truss_hex(out_, raw(unseen.at)); }
  void put(const Number& number, const Value& whole) {
    if (number.show == Show::Hex) put_truss_hex(out_, number.bits);
    else put_value(out_, {whole.is, {}}, kLooks);
  }
  void put(const Text& text, const Value& whole) {
    if (text.kind == TextKind::Bare || text.kind == TextKind::Bits) put_value(out_, {whole.is, {}}, kLooks);
    else put_truss_string(out_, text.bytes, text.cut);
  }

  TextBuffer& out_;
};

}  // namespace

void put_truss_hex(TextBuffer& out, uint64_t number) {
  unsigned digits = 8;
  while (digits < 16 && number >> 4 * digits != 0) digits++;
  out.put("0x");
  for (unsigned i = digits; i > 0; i--) out.put("0123456789ABCDEF"[number >> 4 * (i - 1) & 15]);
}

void put_truss_byte(TextBuffer& out, char byte) {
  for (const Escape& escape : kEscapes) {
    if (escape.byte != byte) continue;
    out.put('\\');
    return out.put(escape.letter);
  }
  auto bits = static_cast<unsigned char>(byte);
  bool printable = bits >= 0x20 && bits < 0x7f;
  out.put(printable ? ' ' : "0123456789ABCDEF"[bits >> 4]);
  out.put(printable ? byte : "0123456789ABCDEF"[bits & 15]);
}

void put_truss_buffer(TextBuffer& out, std::string_view bytes, bool more) {
  out.put('"');
  for (char byte : bytes.substr(0, kBesideCall)) put_truss_byte(out, byte);
  out.put('"');
  if (more || bytes.size() > kBesideCall) out.put("..");
}

void put_truss_string(TextBuffer& out, std::string_view bytes, bool cut) {
  quote(out, bytes, HexStrings::No);
  if (cut) out.put("..");
}

bool is_structure(const Value& value) {
  return std::holds_alternative<Struct>(value.is) || std::holds_alternative<Array>(value.is) ||
         std::holds_alternative<SignalSet>(value.is) || std::holds_alternative<Inet6>(value.is) ||
         std::holds_alternative<Change>(value.is);
}

void put_truss_value(TextBuffer& out, const Value& value) { TrussValue(out).value(value); }

void put_truss_structure(TextBuffer& out, const Value& value) { put_value(out, value, kLooks); }

}  // namespace strut
