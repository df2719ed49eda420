#include "formatters/json/number.hpp"

#include <arpa/inet.h>
#include <stdio.h>

#include <cmath>

#include "formatters/common/float_text.hpp"
#include "formatters/common/text_buffer.hpp"

namespace strut {

namespace {

void put_mode(JsonWriter& json, uint64_t bits) {
  char text[24];
  snprintf(text, sizeof text, "%#03lo", static_cast<unsigned long>(bits));
  json.begin_object();
  json.key("value");
  json.number(bits);
  json.member("octal", std::string_view(text));
  json.end_object();
}

// The kernel's encoding for user space (new_encode_dev and its 64-bit extension).
void put_device(JsonWriter& json, uint64_t bits) {
  json.begin_object();
  json.key("value");
  json.number(bits);
  json.member("major", static_cast<int64_t>((bits >> 8 & 0xfff) | (bits >> 32 & 0xfffff000)));
  json.member("minor", static_cast<int64_t>((bits & 0xff) | (bits >> 12 & 0xffffff00)));
  json.end_object();
}

void put_limit(JsonWriter& json, uint64_t bits, uint8_t bytes) {
  json.begin_object();
  json.member("value", bits);
  if (bits == mask_of(bytes)) json.member("name", std::string_view("RLIM_INFINITY"));
  json.end_object();
}

void put_inet4(JsonWriter& json, uint64_t bits) {
  char text[INET_ADDRSTRLEN];
  auto address = static_cast<uint32_t>(bits);
  json.string(inet_ntop(AF_INET, &address, text, sizeof text));
}

// JSON has no infinities and no NaN: those are strings.
void put_float(JsonWriter& json, const Number& number) {
  TextBuffer text;
  put_shortest_float(text, number);
  if (std::isfinite(float_of(number))) json.literal(text.view());
  else json.string(text.view());
}

/// The names of a flag word in table order, and the remaining bits.
void put_flags(JsonWriter& json, const Named& named) {
  uint64_t left = named.bits & mask_of(named.bytes);
  json.key("names");
  json.begin_array();
  for (const Constant& entry : named.set->entries) {
    uint64_t bits = entry.mask != 0 ? entry.mask : entry.value;
    if (bits == 0 || (left & bits) != entry.value) continue;
    json.string(entry.name);
    left &= ~bits;
  }
  json.end_array();
  if (left == 0) return;
  json.key("unnamed");
  json.number(left);
}

}  // namespace

uint64_t mask_of(uint8_t bytes) { return bytes >= 8 ? ~0ull : (1ull << 8 * bytes) - 1; }

void put_json_number(JsonWriter& json, const Number& number) {
  uint64_t bits = number.bits & mask_of(number.bytes);
  switch (number.show) {
    case Show::Signed: return json.number(static_cast<int64_t>(number.bits));
    case Show::Id:
      if (bits == mask_of(number.bytes)) return json.number(int64_t{-1});
      return json.number(bits);
    case Show::Permissions:
    case Show::FileMode: return put_mode(json, bits);
    case Show::Device: return put_device(json, bits);
    case Show::NetPort: return json.number(uint64_t{__builtin_bswap16(static_cast<uint16_t>(bits))});
    case Show::NetLong: return json.number(uint64_t{__builtin_bswap32(static_cast<uint32_t>(bits))});
    case Show::Inet4: return put_inet4(json, bits);
    case Show::Resource: return put_limit(json, bits, number.bytes);
    case Show::Unsigned:
    case Show::Octal:
    case Show::Char:
    case Show::Bits: return json.number(bits);
    case Show::Hex:
    case Show::HexPadded:
    case Show::Guess: return json.hex_string(bits);
    case Show::Bool: return json.boolean(bits != 0);
    case Show::Float:
    case Show::FloatHex: return put_float(json, number);
  }
}

void put_json_named(JsonWriter& json, const Named& named) {
  uint64_t bits = named.bits & mask_of(named.bytes);
  json.begin_object();
  json.key("value");
  json.number(bits);
  if (named.set->naming == Naming::Flags) {
    put_flags(json, named);
  } else if (const char* name = named.set->name_of(bits)) {
    json.member("name", std::string_view(name));
  }
  json.end_object();
}

}  // namespace strut
