#include "syscalls/types/netlink/uevent.hpp"

#include <string_view>

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {
namespace {

using namespace std::literals;

/// libudev's header: a prefix, and eight words of which some are in network order.
constexpr std::string_view kPrefix = "libudev\0"sv;
constexpr size_t kUeventHeaderBytes = 40;
struct Word {
  const char* name;
  bool in_network_order;
};
constexpr Word kWords[] = {
    {"magic", true}, {"header_size", false}, {"properties_off", false}, {"properties_len", false},
    {"filter_subsystem_hash", true}, {"filter_devtype_hash", true}, {"filter_tag_bloom_hi", true},
    {"filter_tag_bloom_lo", true},
};
static_assert(kPrefix.size() + std::size(kWords) * 4 == kUeventHeaderBytes);

Value word(Decoder& decoder, uint32_t bits, bool in_network_order) {
  if (!in_network_order) return Decoder::number(bits, Show::Unsigned, 4);
  Value host = Decoder::number(__builtin_bswap32(bits), Show::Hex, 4);
  return {Form{"htonl", decoder.arena().copy(std::span<const Value>(&host, 1)), nullptr}, {}};
}

}  // namespace

Value decode_uevent(Decoder& decoder, Addr at, uint64_t bytes) {
  auto held = bytes >= kUeventHeaderBytes ? decoder.all_bytes(at, kUeventHeaderBytes) : std::nullopt;
  if (!held || !held->starts_with(kPrefix)) return decoder.buffer(at, bytes);
  NetlinkBytes header{at, kUeventHeaderBytes, *held};
  FieldValue fields[1 + std::size(kWords)] = {{"prefix", decoder.text(kPrefix.substr(0, kPrefix.size() - 1))}};
  for (size_t i = 0; i < std::size(kWords); i++)
    fields[i + 1] = {kWords[i].name,
                     word(decoder, header.get<uint32_t>(kPrefix.size() + 4 * i), kWords[i].in_network_order)};
  const Value parts[] = {decoder.fields(fields), decoder.buffer(at + kUeventHeaderBytes, bytes - kUeventHeaderBytes)};
  return alone_or_array(decoder, std::span(parts).first(bytes > kUeventHeaderBytes ? 2 : 1));
}

}  // namespace strut
