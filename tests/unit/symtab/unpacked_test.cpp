// Compressed sections: those that unpack, and those that are refused before they take memory.
#include "symtab/elf/unpacked.hpp"

#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

namespace strut::test {
namespace {

const std::string kText = std::string(5000, 'a') + "and something else";

std::string packed(Unpacked::Method method, const std::string& text) {
  std::string out(text.size() + 1000, '\0');
  uLongf bytes = out.size();
  if (method == Unpacked::Method::Zstd) bytes = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3);
  else
    ::compress(reinterpret_cast<Bytef*>(out.data()), &bytes, reinterpret_cast<const Bytef*>(text.data()), text.size());
  out.resize(bytes);
  return out;
}

std::string_view text_of(const Unpacked& unpacked) {
  return {reinterpret_cast<const char*>(unpacked.bytes().data()), unpacked.bytes().size()};
}

}  // namespace

TEST_CASE("unpacked: zlib and zstd give back what was packed, at its size and no other") {
  for (auto method : {Unpacked::Method::Zlib, Unpacked::Method::Zstd}) {
    std::string bytes = packed(method, kText);
    Unpacked whole, shorter, longer;
    REQUIRE(whole.unpack(method, std::as_bytes(std::span(bytes)), kText.size()));
    CHECK(text_of(whole) == kText);
    CHECK_FALSE(shorter.unpack(method, std::as_bytes(std::span(bytes)), kText.size() - 1));
    CHECK_FALSE(longer.unpack(method, std::as_bytes(std::span(bytes)), kText.size() + 1));
    CHECK(longer.bytes().empty());
  }
}

TEST_CASE("unpacked: what is cut, is of the other method, or says an absurd size is refused") {
  for (auto method : {Unpacked::Method::Zlib, Unpacked::Method::Zstd}) {
    std::string bytes = packed(method, kText);
    auto other = method == Unpacked::Method::Zlib ? Unpacked::Method::Zstd : Unpacked::Method::Zlib;
    Unpacked unpacked;
    CHECK_FALSE(unpacked.unpack(method, std::as_bytes(std::span(bytes)).first(bytes.size() / 2), kText.size()));
    CHECK_FALSE(unpacked.unpack(method, {}, kText.size()));
    CHECK_FALSE(unpacked.unpack(other, std::as_bytes(std::span(bytes)), kText.size()));
    CHECK_FALSE(unpacked.unpack(method, std::as_bytes(std::span(bytes)), uint64_t{1} << 40));
  }
}

}  // namespace strut::test
