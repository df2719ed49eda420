#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

#include "formatters/common/value_text.hpp"
#include "syscalls/syscall.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

/// A message as bytes in hexadecimal, and strace 7.2's text for it with -v.
struct Reported {
  uint8_t protocol;
  const char* bytes;
  const char* text;
};
constexpr Reported kReported[] = {
#include "netlink_messages.inc"
};

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  return bytes;
}

std::string sent(const Reported& reported) {
  constexpr uint64_t kAt = 0x20000000;
  std::string bytes = from_hex(reported.bytes);
  DecodeScene scene(*find_syscall(Abi::X86_64, "sendto")->desc, {3, kAt, bytes.size(), 0, 0, 0});
  scene.around.netlink_protocols[3] = reported.protocol;
  scene.around.generic_families[16] = "nlctrl";
  scene.memory.put(kAt, bytes);
  scene.options.abbreviate = {};
  scene.enter();
  TextBuffer out;
  put_value(out, scene.decoded.args[1].value, {});
  return std::string(out.view());
}

}  // namespace

TEST_CASE("netlink: messages of every protocol, as strace 7.2 shows them") {
  for (const Reported& reported : kReported) CHECK(sent(reported) == std::string_view(reported.text));
}

TEST_CASE("netlink: no prefix of a message is read beyond its end") {
  constexpr uint64_t kAt = 0x20000000;
  for (const Reported& reported : kReported) {
    std::string bytes = from_hex(reported.bytes);
    for (size_t held = 0; held < bytes.size(); held += 7) {
      DecodeScene scene(*find_syscall(Abi::X86_64, "sendto")->desc, {3, kAt, bytes.size(), 0, 0, 0});
      scene.around.netlink_protocols[3] = reported.protocol;
      scene.memory.put(kAt, std::string_view(bytes).substr(0, held));
      CHECK_FALSE(scene.enter().empty());
    }
  }
}

}  // namespace strut::test
