#include "libcalls/prototypes/library_types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/signed_number.hpp"
#include "syscalls/types/fs/dirents.hpp"
#include "syscalls/types/signal/signal.hpp"

namespace strut {

namespace {

using namespace notation;

// <stdio.h>, <dlfcn.h>, <locale.h> of glibc
constexpr Constant kBufferModeNames[] = {{0, "_IOFBF"}, {1, "_IOLBF"}, {2, "_IONBF"}};
constexpr Constant kDlopenNames[] = {{1, "RTLD_LAZY"},     {2, "RTLD_NOW"},        {4, "RTLD_NOLOAD"},
                                     {8, "RTLD_DEEPBIND"}, {0x100, "RTLD_GLOBAL"}, {0x1000, "RTLD_NODELETE"}};
constexpr Constant kLocaleNames[] = {
    {0, "LC_CTYPE"},
    {1, "LC_NUMERIC"},
    {2, "LC_TIME"},
    {3, "LC_COLLATE"},
    {4, "LC_MONETARY"},
    {5, "LC_MESSAGES"},
    {6, "LC_ALL"},
    {7, "LC_PAPER"},
    {8, "LC_NAME"},
    {9, "LC_ADDRESS"},
    {10, "LC_TELEPHONE"},
    {11, "LC_MEASUREMENT"},
    {12, "LC_IDENTIFICATION"},
};

constexpr Constant kSyscallNames[] = {
#define SYSCALL(nr, name, ...) {nr, "SYS_" #name},
#include "syscalls/syscalls.inc"
#undef SYSCALL
};

constexpr FieldType kTmFields[] = {
    field("tm_sec", kInt),    field("tm_min", kInt),      field("tm_hour", kInt),  field("tm_mday", kInt),
    field("tm_mon", kInt),    field("tm_year", kInt),     detail("tm_wday", kInt), detail("tm_yday", kInt),
    detail("tm_isdst", kInt), detail("tm_gmtoff", kLong),
};
constexpr StructLayout kTmLayout{"tm", kTmFields};

constexpr uint32_t kLastCharacter = 0x10ffff;

void append_utf8(std::string& out, uint32_t character) {
  if (character > kLastCharacter) character = 0xfffd;  // U+FFFD REPLACEMENT CHARACTER
  auto follow = [&](unsigned shift) { out += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    follow(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | character >> 12);
    follow(6), follow(0);
  } else {
    out += static_cast<char>(0xf0 | character >> 18);
    follow(12), follow(6), follow(0);
  }
}

// glibc's names of the objects of stdin, stdout and stderr: _IO_2_1_stdout_.
std::string_view standard_stream(std::string_view symbol) {
  constexpr std::string_view kHead = "_IO_2_1_", kTail = "_";
  if (!symbol.starts_with(kHead) || !symbol.ends_with(kTail)) return {};
  symbol.remove_prefix(kHead.size());
  symbol.remove_suffix(kTail.size());
  return symbol;
}

Value named_address(Decoder& decoder, uint64_t bits, std::string_view name) {
  return {Alias{decoder.arena().copy(name), decoder.arena().make(Decoder::address(bits))}, {}};
}

}  // namespace

constinit const ConstantSet kBufferModes = enumeration("_IO???", kBufferModeNames);
constinit const ConstantSet kDlopenFlags = flag_set("RTLD_???", kDlopenNames);
constinit const ConstantSet kLocaleCategories = enumeration("LC_???", kLocaleNames, NumberBase::Decimal);
constinit const ConstantSet kSyscallNumbers = enumeration(nullptr, kSyscallNames, NumberBase::Decimal);
constinit const Type kTm = structure(kTmLayout);

namespace {

constexpr FieldType kWideNumberFields[] = {field("low", kU64), field("high", kU64)};
constexpr StructLayout kWideNumberLayout{"", kWideNumberFields};
constexpr FieldType kComplexFloatFields[] = {field("", kFloat), field("", kFloat)};
constexpr StructLayout kComplexFloatLayout{"", kComplexFloatFields};
constexpr FieldType kComplexDoubleFields[] = {field("", kDouble), field("", kDouble)};
constexpr StructLayout kComplexDoubleLayout{"", kComplexDoubleFields};

// sa_mask has 1024 bits, of which the kernel knows 64.
constexpr int16_t kFlagsAt = 8 + 128;
constexpr FieldType kSigactionFields[] = {
    field("sa_handler", kHandler),
    field("sa_mask", kSigset),
    at(kFlagsAt, field("sa_flags", named(kSigactionFlags))),
};
constexpr StructLayout kSigactionLayout{"sigaction", kSigactionFields};

// <bits/dirent.h>: number, offset, length, type, then the name.
constexpr FieldType kDirentFields[] = {
    field("d_ino", kU64),
    at(18, field("d_type", named(kDirentTypes, Width::B1))),
    at(19, field("d_name", kPath)),
};
constexpr StructLayout kDirentLayout{.name = "dirent", .fields = kDirentFields, .packed = true};

std::string decimal(unsigned __int128 number) {
  std::string digits;
  do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
  while ((number /= 10) != 0);
  return digits;
}

}  // namespace

constinit const Type kWideNumberWords = structure(kWideNumberLayout);
constinit const Type kComplexFloat = structure(kComplexFloatLayout);
constinit const Type kComplexDouble = structure(kComplexDoubleLayout);
constinit const Type kLibrarySigaction = structure(kSigactionLayout);
constinit const Type kDirent = structure(kDirentLayout);

template <typename Integer>
Value decode_wide_number(Decoder& decoder, uint64_t bits, size_t) {
  Integer number = 0;
  if (!decoder.read_bytes(Addr{bits}, std::as_writable_bytes(std::span(&number, 1))))
    return decoder.missing(Addr{bits});
  auto digits = static_cast<unsigned __int128>(number);
  return decoder.text(number < 0 ? '-' + decimal(-digits) : decimal(digits), TextKind::Bare, false);
}
template Value decode_wide_number<__int128>(Decoder&, uint64_t, size_t);
template Value decode_wide_number<unsigned __int128>(Decoder&, uint64_t, size_t);

Value show_error_number(Decoder&, uint64_t bits) {
  auto number = static_cast<int32_t>(bits);
  if (number <= 0) return signed_number(number);
  return Decoder::named(static_cast<uint64_t>(number), kErrnoNames);
}

Value show_handler(Decoder& decoder, uint64_t bits) {
  if (kSignalHandlers.name_of(bits) != nullptr) return Decoder::named(bits, kSignalHandlers, 8);
  return show_code(decoder, bits);
}

Value show_nothing(Decoder&, uint64_t) { return {}; }

Value show_unseen(Decoder& decoder, uint64_t) {
  decoder.decoded().unseen++;
  return {Unseen{}, {}};
}

Value show_code(Decoder& decoder, uint64_t bits) {
  std::optional<std::string> name = bits ? decoder.around().symbol(Addr{bits}) : std::nullopt;
  return name ? named_address(decoder, bits, *name) : Decoder::address(bits);
}

Value show_stream(Decoder& decoder, uint64_t bits) {
  std::optional<std::string> symbol = bits ? decoder.around().symbol(Addr{bits}) : std::nullopt;
  std::string_view name = symbol ? standard_stream(*symbol) : std::string_view{};
  return name.empty() ? Decoder::address(bits) : named_address(decoder, bits, name);
}

Value decode_wide_string(Decoder& decoder, uint64_t at, size_t) {
  constexpr size_t kChunk = 64;
  size_t most = std::min<size_t>(decoder.options().max_string_bytes, 1u << 20), count = 0;
  std::string text;
  while (count <= most) {
    std::array<uint32_t, kChunk> characters{};
    // Not beyond the page: the next one need not be there. Nor beyond the shown part: the rest need not be captured.
    size_t left_in_page = (4096 - (at + count * 4) % 4096) / 4;
    size_t wanted = std::min(std::clamp<size_t>(left_in_page, 1, kChunk), most + 1 - count);
    Addr from{at + count * sizeof(uint32_t)};
    if (!decoder.read_bytes(from, std::as_writable_bytes(std::span(characters).first(wanted))))
      return decoder.missing(Addr{at});
    for (size_t i = 0; i < wanted; i++, count++) {
      if (characters[i] == 0 || count == most) return decoder.text(text, TextKind::Text, characters[i] != 0);
      append_utf8(text, characters[i]);
    }
  }
  return decoder.text(text, TextKind::Text, true);
}

Value show_wide_char(Decoder& decoder, uint64_t bits) {
  constexpr uint32_t kAscii = 0x80, kLastControl = 0x9f;
  auto character = static_cast<uint32_t>(bits);
  if (character < kAscii) return Decoder::number(character, Show::Char, 1);
  if (character <= kLastControl || character > kLastCharacter)
    return Decoder::number(static_cast<uint64_t>(static_cast<int32_t>(bits)), Show::Signed, 4);
  std::string text = "'";
  append_utf8(text, character);
  return decoder.text(text + '\'', TextKind::Bare);
}

Value decode_long_double(Decoder& decoder, uint64_t bits, size_t) {
  std::array<std::byte, 10> bytes;
  if (!decoder.read_bytes(Addr{bits}, bytes)) return decoder.missing(Addr{bits});
  long double number = 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return Decoder::number(std::bit_cast<uint64_t>(static_cast<double>(number)), Show::Float, 8);
}

}  // namespace strut
