#include "formatters/common/number_text.hpp"

#include <arpa/inet.h>

#include "formatters/common/bit_set_text.hpp"
#include "formatters/common/float_text.hpp"
#include "formatters/common/quote.hpp"

namespace strut {

namespace {

uint64_t mask_of(uint8_t bytes) { return bytes >= 8 ? ~0ull : (1ull << 8 * bytes) - 1; }

/// Puts a comment around the text that `content` writes.
template <typename Content>
void commented(TextBuffer& out, Content content) {
  out.ink(Ink::Comment);
  out.put(" /* ");
  content();
  out.ink(Ink::Comment);
  out.put(" */");
  out.ink(Ink::ArgValue);
}

/// The plain form where numbers are wanted, the symbolic one where names are, both for -X verbose.
template <typename Plain, typename Symbolic>
void in_style(TextBuffer& out, NamesAs names, Plain plain, Symbolic symbolic) {
  if (names == NamesAs::Abbrev) return symbolic();
  plain();
  if (names == NamesAs::Verbose) commented(out, symbolic);
}

/// `name(argument)`.
template <typename Argument>
void call_form(TextBuffer& out, std::string_view name, Argument argument) {
  out.ink(Ink::Call);
  out.put(name);
  out.put(Ink::Punct, "(");
  argument();
  out.ink(Ink::Punct);
  out.put(')');
  out.ink(Ink::Plain);
}

/// The bytes of a number in memory order, as -X raw shows numbers in network order.
void put_memory_bytes(TextBuffer& out, uint64_t bits, uint8_t bytes) {
  char raw[8];
  for (uint8_t i = 0; i < bytes && i < 8; i++) raw[i] = static_cast<char>(bits >> 8 * i);
  quote(out, {raw, bytes}, HexStrings::All);
}

/// <sys/stat.h>, S_IFMT.
std::string_view file_type(uint64_t mode) {
  switch (mode & 0170000) {
    case 0140000: return "S_IFSOCK";
    case 0120000: return "S_IFLNK";
    case 0100000: return "S_IFREG";
    case 0060000: return "S_IFBLK";
    case 0040000: return "S_IFDIR";
    case 0020000: return "S_IFCHR";
    case 0010000: return "S_IFIFO";
    default: return {};
  }
}

void put_symbolic_mode(TextBuffer& out, uint64_t mode) {
  if (std::string_view type = file_type(mode); !type.empty()) {
    out.put(type);
    out.put('|');
  }
  if (mode & 04000) out.put("S_ISUID|");
  if (mode & 02000) out.put("S_ISGID|");
  if (mode & 01000) out.put("S_ISVTX|");
  out.octal(mode & ~0177000ull, 3);
}

void put_mode(TextBuffer& out, uint64_t mode, NamesAs names) {
  bool known = (mode & 0170000) == 0 || !file_type(mode).empty();
  if (!known) return out.octal(mode, 3);
  in_style(out, names, [&] { out.octal(mode, 3); }, [&] { put_symbolic_mode(out, mode); });
}

/// The kernel's encoding for user space: huge for 64 bits (stat, statx of x86-64), new for 32; equal below.
uint64_t major_of(uint64_t device) { return (device >> 8 & 0xfff) | (device >> 32 & ~0xfffull); }
uint64_t minor_of(uint64_t device) { return (device & 0xff) | (device >> 12 & 0xffffff00); }

void put_device(TextBuffer& out, uint64_t device, NamesAs names) {
  in_style(
      out, names, [&] { out.hex(device); },
      [&] {
        call_form(out, "makedev", [&] {
          out.hex(static_cast<uint32_t>(major_of(device)));
          out.put(Ink::Punct, ", ");
          out.hex(static_cast<uint32_t>(minor_of(device)));
        });
      });
}

void put_swapped(TextBuffer& out, const Number& number, NamesAs names) {
  bool port = number.show == Show::NetPort;
  uint8_t bytes = port ? 2 : 4;
  uint64_t host = port ? static_cast<uint64_t>(__builtin_bswap16(static_cast<uint16_t>(number.bits)))
                       : static_cast<uint64_t>(__builtin_bswap32(static_cast<uint32_t>(number.bits)));
  in_style(
      out, names, [&] { put_memory_bytes(out, number.bits, bytes); },
      [&] { call_form(out, port ? "htons" : "htonl", [&] { out.decimal(host); }); });
}

void put_inet4(TextBuffer& out, uint64_t bits, const ValueLooks& looks) {
  in_style(
      out, looks.names, [&] { put_memory_bytes(out, bits, 4); },
      [&] {
        call_form(out, "inet_addr", [&] {
          auto address = static_cast<uint32_t>(bits);
          char text[INET_ADDRSTRLEN];
          quote(out, inet_ntop(AF_INET, &address, text, sizeof text), looks.hex_strings);
        });
      });
}

void put_limit(TextBuffer& out, const Number& number, NamesAs names) {
  uint64_t limit = number.bits & mask_of(number.bytes);
  bool infinite = limit == mask_of(number.bytes);
  if (!infinite && (limit <= 1024 || limit % 1024 != 0)) return out.decimal(limit);
  in_style(
      out, names, [&] { out.decimal(limit); },
      [&] {
        if (infinite) return out.put(number.bytes >= 8 ? "RLIM64_INFINITY" : "RLIM_INFINITY");
        out.decimal(limit / 1024);
        out.put("*1024");
      });
}

/// C's "%#0*x" with twice as many characters as the number has bytes.
void put_padded_hex(TextBuffer& out, const Number& number) {
  unsigned width = 2u * number.bytes;
  uint64_t bits = number.bits & mask_of(number.bytes);
  if (bits == 0 || width < 2) return out.hex_digits(0, width);
  out.put("0x");
  out.hex_at_least(bits, width - 2);
}

void put_char(TextBuffer& out, uint64_t bits) {
  char c = static_cast<char>(bits);
  out.put('\'');
  bool named = c >= '\t' && c <= '\r';  // \t \n \v \f \r
  if (c == '\'') out.put("\\'");
  else if (c == '"') out.put('"');
  else escape_bytes(out, {&c, 1}, named || (c >= ' ' && c <= '~') ? HexStrings::No : HexStrings::All);
  out.put('\'');
}

void put_in_base(TextBuffer& out, uint64_t bits, uint8_t bytes, NumberBase base) {
  uint64_t value = bits & mask_of(bytes);
  switch (base) {
    case NumberBase::Hex: return out.hex(value);
    case NumberBase::Octal: return out.octal(value);
    case NumberBase::Unsigned: return out.decimal(value);
    case NumberBase::Decimal:
      if (bytes == 4) return out.decimal(int64_t{static_cast<int32_t>(bits)});
      return out.decimal(static_cast<int64_t>(bits));
  }
}

void put_unknown(TextBuffer& out, const Named& named, NamesAs names) {
  put_in_base(out, named.bits, named.bytes, named.set->base);
  if (named.set->unknown != nullptr && names != NamesAs::Raw) put_comment(out, named.set->unknown);
}

/// Negative numbers may stand in a table as they are or in the width of the number.
const char* enumeration_name(const Named& named) {
  const char* name = named.set->name_of(named.bits);
  return name != nullptr ? name : named.set->name_of(named.bits & mask_of(named.bytes));
}

void put_enumeration(TextBuffer& out, const Named& named, NamesAs names) {
  const char* name = names == NamesAs::Raw ? nullptr : enumeration_name(named);
  if (name == nullptr) return put_unknown(out, named, names);
  if (names == NamesAs::Abbrev) return out.put(Ink::Constant, name);
  put_in_base(out, named.bits, named.bytes, named.set->base);
  put_comment(out, name);
}

/// open(2)'s flags, which begin with an access mode, are coloured as one constant, all others name by name.
bool is_one_word(const ConstantSet& set) {
  return !set.entries.empty() && set.entries.front().name == std::string_view("O_RDONLY");
}

/// Writes the names of a flag word joined by '|', and the remaining bits; false if there is no name.
bool put_flag_names(TextBuffer& out, const Named& named, NamesAs names) {
  uint64_t left = named.bits & mask_of(named.bytes);
  bool any = false;
  bool one_colour = names != NamesAs::Abbrev || is_one_word(*named.set);
  auto next = [&](std::string_view name, bool is_name) {
    if (any && is_one_word(*named.set)) out.put('|');
    else if (any) out.put(Ink::Punct, "|");
    any = true;
    if (is_name && !one_colour) out.put(Ink::Constant, name);
    else out.put(name);
  };
  for (const Constant& entry : named.set->entries) {
    uint64_t bits = entry.mask != 0 ? entry.mask : entry.value;
    if (bits == 0 || (left & bits) != entry.value) continue;
    next(entry.name, true);
    left &= ~bits;
  }
  if (any && left != 0) {
    next({}, false);
    put_in_base(out, left, 8, named.set->base);
  }
  return any;
}

/// True if some entry names bits of this word.
bool has_flag_name(const Named& named) {
  uint64_t word = named.bits & mask_of(named.bytes);
  for (const Constant& entry : named.set->entries) {
    uint64_t bits = entry.mask != 0 ? entry.mask : entry.value;
    if (bits != 0 && (word & bits) == entry.value) return true;
  }
  return false;
}

void put_flags(TextBuffer& out, const Named& named, NamesAs names) {
  uint64_t word = named.bits & mask_of(named.bytes);
  if (word == 0 && named.set->blank_zero && (names == NamesAs::Raw || named.set->name_of(0) == nullptr)) return;
  if (names == NamesAs::Raw) return put_in_base(out, word, 8, named.set->base);
  if (names == NamesAs::Abbrev) {
    bool one_word = is_one_word(*named.set) && has_flag_name(named);
    if (one_word) out.ink(Ink::Constant);
    bool any = put_flag_names(out, named, names);
    if (one_word) out.ink(Ink::ArgValue);
    if (any) return;
    const char* zero = word == 0 ? named.set->name_of(0) : nullptr;
    if (zero != nullptr) return out.put(Ink::Constant, zero);
  }
  if (word == 0 && named.set->name_of(0) == nullptr && !has_flag_name(named)) return out.put('0');
  if (names == NamesAs::Abbrev) return put_unknown(out, named, names);
  put_in_base(out, word, 8, named.set->base);
  if (has_flag_name(named)) return commented(out, [&] { put_flag_names(out, named, names); });
  const char* remark = word == 0 ? named.set->name_of(0) : named.set->unknown;
  if (remark != nullptr) put_comment(out, remark);
}

}  // namespace

void put_guess(TextBuffer& out, const Number& number) {
  constexpr int64_t kLargestCount = 10000;
  auto value = static_cast<int64_t>(number.bits);
  if (value >= -kLargestCount && value <= kLargestCount) return out.decimal(value);
  out.hex(number.bits & mask_of(number.bytes));
}

void put_number(TextBuffer& out, const Number& number, const ValueLooks& looks) {
  NamesAs names = looks.names;
  uint64_t bits = number.bits & mask_of(number.bytes);
  switch (number.show) {
    case Show::Signed: return out.decimal(static_cast<int64_t>(number.bits));
    case Show::Unsigned: return out.decimal(bits);
    case Show::Hex: return out.hex(bits);
    case Show::Octal: return out.octal(bits);
    case Show::Permissions: return out.octal(bits, 3);
    case Show::FileMode: return put_mode(out, bits, names);
    case Show::Device: return put_device(out, bits, names);
    case Show::Id:
      if (bits == mask_of(number.bytes)) return out.put("-1");
      return out.decimal(bits);
    case Show::NetPort:
    case Show::NetLong: return put_swapped(out, number, names);
    case Show::Inet4: return put_inet4(out, number.bits, looks);
    case Show::Resource: return put_limit(out, number, names);
    case Show::HexPadded: return put_padded_hex(out, number);
    case Show::Char: return put_char(out, bits);
    case Show::Float: return put_shortest_float(out, number);
    case Show::FloatHex: return put_float(out, number, "%a");
    case Show::Bool: return out.put(bits != 0 ? "true" : "false");
    case Show::Bits: return put_bit_set(out, bits, number.bytes);
    case Show::Guess: return put_guess(out, number);
  }
}

void put_named(TextBuffer& out, const Named& named, NamesAs names) {
  if (named.set->naming == Naming::Enumeration) put_enumeration(out, named, names);
  else put_flags(out, named, names);
}

void put_inet6(TextBuffer& out, const Inet6& address, std::string_view field, const ValueLooks& looks) {
  bool named = !field.empty(), symbolic = looks.names == NamesAs::Abbrev;
  if (named && !symbolic) {
    put_label(out, field);
  }
  auto plain = [&] {
    quote(out, {reinterpret_cast<const char*>(address.bytes.data()), address.bytes.size()}, HexStrings::All);
  };
  in_style(out, looks.names, plain, [&] {
    call_form(out, "inet_pton", [&] {
      char text[INET6_ADDRSTRLEN];
      out.put(Ink::Constant, "AF_INET6");
      out.put(Ink::Punct, ", ");
      quote(out, inet_ntop(AF_INET6, address.bytes.data(), text, sizeof text), looks.hex_strings);
      if (!named || !symbolic) return;
      out.put(Ink::Punct, ", ");
      out.put('&');
      out.put(field);
    });
  });
}

}  // namespace strut
