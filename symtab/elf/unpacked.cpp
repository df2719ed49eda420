#include "symtab/elf/unpacked.hpp"

#include <zlib.h>
#include <zstd.h>

namespace strut {

namespace {

constexpr uint64_t kMaxRatio = 1032;  // zlib's technical notes: at most 1032:1
constexpr uint64_t kMaxBytes = uint64_t{4} << 30;
/// zstd has no such limit: a few bytes may stand for any number of zeros. Debug information is no zeros.
constexpr uint64_t kZeros = uint64_t{16} << 20;

bool inflate(std::span<const std::byte> packed, std::span<std::byte> out) {
  uLongf unpacked = out.size();
  uLong taken = packed.size();
  auto* from = reinterpret_cast<const Bytef*>(packed.data());
  return ::uncompress2(reinterpret_cast<Bytef*>(out.data()), &unpacked, from, &taken) == Z_OK && unpacked == out.size();
}

}  // namespace

bool Unpacked::unpack(Method method, std::span<const std::byte> packed, uint64_t size) {
  uint64_t most = (packed.size() + 1) * kMaxRatio + (method == Method::Zstd ? kZeros : 0);
  if (size > kMaxBytes || size > most) return false;
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(size);
  bool done = method == Method::Zlib ? inflate(packed, {bytes_.get(), size})
                                     : ::ZSTD_decompress(bytes_.get(), size, packed.data(), packed.size()) == size;
  if (done) size_ = size;
  return done;
}

}  // namespace strut
