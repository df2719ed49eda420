#include "syscalls/conditions.hpp"

#include <algorithm>

#include "syscalls/decoder.hpp"

namespace strut {

uint64_t argument_of(Decoder& decoder, size_t index) { return decoder.arg(index); }

uint64_t word_at(Decoder& decoder, Addr at, Width width) { return decoder.read_number(at, width).value_or(0); }

bool any_byte(Decoder& decoder, Addr at, size_t bytes) {
  std::byte copy[kMaxBytesLookedAt];
  std::span<std::byte> all = std::span(copy).first(bytes);
  return decoder.read_bytes(at, all) && std::ranges::any_of(all, [](std::byte byte) { return byte != std::byte{}; });
}

bool is_i386(Decoder& decoder, Addr) { return decoder.abi() == Abi::I386; }
bool in_full(Decoder& decoder, Addr) { return decoder.full(); }
bool at_entry(Decoder& decoder, Addr) { return decoder.phase() == Phase::Enter; }
bool succeeded(Decoder& decoder, Addr) { return decoder.phase() == Phase::Exit && decoder.call().error == 0; }
uint64_t result_of(Decoder& decoder) { return static_cast<uint64_t>(decoder.call().result); }
bool has_result(Decoder& decoder, Addr) { return decoder.call().error == 0 && decoder.call().result > 0; }

}  // namespace strut
