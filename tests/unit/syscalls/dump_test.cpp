// The kept data of a call's traffic for -e read and -e write.
#include <doctest/doctest.h>

#include "syscalls/notation.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

/// `call 0:abc` for the call's buffer, `0:abc/3` for a vector's, `msg 0/1` for a message.
std::string pieces(const DecodedCall& decoded) {
  std::string text;
  for (const Dump& piece : decoded.dumps) {
    const char* of = piece.of == Dump::Of::Call ? "call " : piece.of == Dump::Of::Message ? "msg " : "";
    text += (text.empty() ? "" : " ") + std::string(of) + std::to_string(piece.index) + ":" + std::string(piece.bytes) +
            "/" + std::to_string(piece.count);
  }
  return text;
}

struct DumpScene : DecodeScene {
  DumpScene(const char* name, std::initializer_list<uint64_t> regs)
      : DecodeScene(*find_syscall(Abi::X86_64, name)->desc, regs) {
    options.dump_reads.inverted = options.dump_writes.inverted = true;
    memory.put(0x1000, "abcdefgh");
    memory.put_object(0x2000, std::array<uint64_t, 8>{0x1000, 2, 0x1002, 3, 0xbad, 4, 0, 0});
    memory.put_object(0x3000, std::array<uint64_t, 16>{0, 0, 0x2000, 2, 0, 0, 0, 3, 0, 0, 0x2000, 1, 0, 0, 0, 2});
  }
  std::string after(int64_t result) {
    enter();
    if (result < 0) fail(static_cast<int>(-result));
    else exit(result);
    return pieces(decoded);
  }
};

TEST_CASE("dump: what was read, by the result; what was to be written, even in vain") {
  CHECK(DumpScene("read", {3, 0x1000, 8}).after(3) == "call 0:abc/3");
  CHECK(DumpScene("read", {3, 0x1000, 8}).after(0).empty());
  CHECK(DumpScene("read", {3, 0x1000, 8}).after(-9).empty());
  CHECK(DumpScene("write", {3, 0x1000, 8}).after(3) == "call 0:abcdefgh/8");
  CHECK(DumpScene("write", {3, 0x1000, 2}).after(-9) == "call 0:ab/2");
  CHECK(DumpScene("write", {3, 0x1000, 9}).after(3).empty());
  CHECK(DumpScene("write", {3, 0x1000, ~0ull}).after(-14).empty());
  CHECK(DumpScene("close", {3}).after(0).empty());
}

TEST_CASE("dump: vectors, message headers and several messages") {
  CHECK(DumpScene("readv", {3, 0x2000, 3}).after(4) == "0:ab/2 1:cd/2");
  CHECK(DumpScene("writev", {3, 0x2000, 4}).after(-9) == "0:ab/2 1:cde/3 2:/4");
  CHECK(DumpScene("writev", {3, 0x2030, 2}).after(-14) == "");
  CHECK(DumpScene("sendmsg", {3, 0x3000, 0}).after(5) == "0:ab/2 1:cde/3");
  CHECK(DumpScene("recvmsg", {3, 0x3000, 0}).after(1) == "0:a/1");
  CHECK(DumpScene("recvmmsg", {3, 0x3000, 2, 0, 0}).after(2) == "msg 0:/2 0:ab/2 1:c/1 msg 1:/1 0:ab/2");
  CHECK(DumpScene("sendmmsg", {3, 0xbad, 2, 0}).after(2).empty());
}

TEST_CASE("dump: only descriptors that were asked for, also of raw calls") {
  DumpScene scene("read", {3, 0x1000, 8});
  scene.options.dump_reads = {{4}, false};
  CHECK(scene.after(3).empty());
  scene.options.dump_reads = {{3}, false};
  scene.options.raw = SyscallSet::all();
  CHECK(scene.after(3) == "call 0:abc/3");
}

}  // namespace
}  // namespace strut::test
