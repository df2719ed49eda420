// decode_enter and decode_exit: phases, directions, commands, registers, options.
#include <doctest/doctest.h>

#include "syscalls/notation.hpp"
#include "tests/unit/decode_scene.hpp"
#include "tests/unit/show.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr Constant kWhenceNames[] = {{0, "SEEK_SET"}, {1, "SEEK_CUR"}, {2, "SEEK_END"}};
constexpr ConstantSet kWhence = enumeration("SEEK_???", kWhenceNames);
constexpr FieldType kPairFields[] = {field("a", kInt), detail("b", kS64)};
constexpr StructLayout kPair{"pair", kPairFields};
constexpr Type kPairType = structure(kPair);

constexpr SyscallDesc kRead =
    row("read", kDesc, kUnsignedResult, fd("fd"), bytes_out("buf", by_result()), size("count"));
constexpr SyscallDesc kWrite =
    row("write", kDesc, kUnsignedResult, fd("fd"), bytes_in("buf", by_arg(2)), size("count"));
constexpr SyscallDesc kSendfile =
    row("sendfile", kDesc, kUnsignedResult, fd("out"), fd("in"), inout("offset", kS64), size("count"));
constexpr SyscallDesc kStat = row("stat", kFile, kUnsignedResult, path("path"), out("st", kPairType));

TEST_CASE("decode: what the kernel writes is pending until the call has returned") {
  DecodeScene scene(kRead, {3, 0x1000, 10});
  scene.memory.put(0x1000, "abcdefghij");
  CHECK(scene.enter() == "fd:3; | ?; 10");
  CHECK_FALSE(scene.decoded.complete);
  CHECK(scene.exit(4) == "fd:3; | \"abcd\"; 10");
  CHECK(show(scene.decoded.result) == "4");
}

TEST_CASE("decode: a failed call shows where the kernel would have written") {
  DecodeScene scene(kRead, {3, 0x1000, 10});
  scene.enter();
  CHECK(scene.fail(9) == "fd:3; | 0x1000; 10");
  CHECK(scene.decoded.result.absent());
  DecodeScene null(kRead, {3, 0, 10});
  null.enter();
  CHECK(null.fail(14) == "fd:3; | NULL; 10");
}

TEST_CASE("decode: a call that never returned keeps its pending values") {
  DecodeScene scene(kRead, {3, 0x1000, 10});
  scene.enter();
  CHECK(scene.vanish() == "fd:3; | ?; 10");
  CHECK(scene.decoded.result.absent());
}

TEST_CASE("decode: an argument for output that is decoded even on failure") {
  static constexpr SyscallDesc kNanosleep =
      row("nanosleep", kNone, kUnsignedResult, in("req", kPairType), even_on_failure(out("rem", kPairType)));
  DecodeScene scene(kNanosleep, {0x1000, 0x2000});
  scene.options.abbreviate = SyscallSet{};
  scene.memory.put_object(0x1000, std::array<int64_t, 2>{1, 2}).put_object(0x2000, std::array<int64_t, 2>{0, 9});
  scene.enter();
  CHECK(scene.fail(4) == "{a=1, ~b=2}; | {a=0, ~b=9}");
}

TEST_CASE("decode: details are decoded only where structures are shown in full") {
  DecodeScene scene(kStat, {0, 0x2000});
  scene.memory.put_object(0x2000, std::array<int64_t, 2>{1, 2});
  scene.enter();
  CHECK(scene.exit(0) == "NULL; | {a=1}");
  scene.options.abbreviate = SyscallSet{};
  scene.enter();
  CHECK(scene.exit(0) == "NULL; | {a=1, ~b=2}");
}

TEST_CASE("decode: a changed value shows what it was and what it became") {
  DecodeScene scene(kSendfile, {1, 3, 0x1000, 100});
  scene.memory.put_object<int64_t>(0x1000, 5);
  CHECK(scene.enter() == "fd:1; fd:3; | box[5]; 100");
  scene.memory.put_object<int64_t>(0x1000, 15);
  CHECK(scene.exit(10) == "fd:1; fd:3; | box[5] => box[15]; 100");
}

TEST_CASE("decode: an unchanged value, a failed call and NULL show once") {
  DecodeScene scene(kSendfile, {1, 3, 0x1000, 100});
  scene.memory.put_object<int64_t>(0x1000, 5);
  scene.enter();
  CHECK(scene.exit(0) == "fd:1; fd:3; | box[5]; 100");
  scene.enter();
  scene.memory.put_object<int64_t>(0x1000, 6);
  CHECK(scene.fail(9) == "fd:1; fd:3; | box[5]; 100");
  DecodeScene null(kSendfile, {1, 3, 0, 100});
  CHECK(null.enter() == "fd:1; fd:3; NULL; 100");
  CHECK(null.decoded.complete);
  DecodeScene lost(*find_syscall(Abi::X86_64, "lsm_get_self_attr")->desc, {0, 0x2000, 0x1000, 1});
  lost.memory.put_object<uint32_t>(0x1000, 5);
  lost.memory.unseen(0x2000, 0x3000);
  std::string entered = lost.enter();
  CHECK(entered.find("unseen:0x2000") != std::string::npos);
  CHECK(lost.fail(22).find(" => ") == std::string::npos);  // an address then, and an address now
}

TEST_CASE("decode: bad pointers are values, and unseen memory is another") {
  DecodeScene scene(kStat, {0xdead, 0xbeef});
  CHECK(scene.enter() == "bad:0xdead; | ?");
  CHECK(scene.exit(0) == "bad:0xdead; | bad:0xbeef");
  CHECK(scene.decoded.unseen == 0);
  scene.memory.unseen(0xbe00, 0xbf00);
  scene.enter();
  CHECK(scene.exit(0) == "bad:0xdead; | unseen:0xbeef");
  CHECK(scene.decoded.unseen == 1);
}

TEST_CASE("decode: registers are narrowed to their types") {
  static constexpr SyscallDesc kSeek = row("lseek", kDesc, kUnsignedResult, fd("fd"), slong("offset"),
                                           flags("whence", kWhence), id("uid"), integer("n"));
  DecodeScene scene(kSeek, {0x1ffffffff, ~0ull, 0x700000002, 0xffffffffffff, 0xfffffffe});
  CHECK(scene.enter() == "fd:-1; -1; SEEK_END; 4294967295; -2");
  CHECK(scene.decoded.complete);
}

TEST_CASE("decode: 64 bits come in two registers on i386 and in one elsewhere") {
  static constexpr SyscallDesc kPread =
      row("pread64", kDesc, kUnsignedResult, fd("fd"), address("buf"), size("count"), loff("offset"), integer("after"));
  DecodeScene wide(kPread, {3, 0x1000, 4, 5, 6, 7});
  CHECK(wide.enter() == "fd:3; 0x1000; 4; 5; 6");
  DecodeScene narrow(kPread, {3, 0x1000, 4, 5, 6, 7}, Abi::I386);
  CHECK(narrow.enter() == "fd:3; 0x1000; 4; 25769803781; 7");
  DecodeScene x32(kPread, {3, 0x1000, 4, 5, 6, 7}, Abi::X32);
  CHECK(x32.enter() == "fd:3; 0x1000; 4; 5; 6");
}

TEST_CASE("decode: arguments may come from a given register and have conditions") {
  static constexpr SyscallDesc kClone =
      row("clone", kProcess, kPidResult, from_register(1, address("stack")), labelled(from_register(0, hex("flags"))),
          when([](const Call& call) { return (call.regs[0] & 1) != 0; }, from_register(3, integer("tid"))));
  DecodeScene scene(kClone, {0x10, 0x7000, 2, 3});
  CHECK(scene.enter() == "0x7000; 0x10");
  DecodeScene with(kClone, {0x11, 0x7000, 2, 3});
  CHECK(with.enter() == "0x7000; 0x11; 3");
  CHECK(with.exit(77) == "0x7000; 0x11; 3");
  CHECK(show(with.decoded.result) == "pid:77");
}

constexpr CommandRow kFcntlRows[] = {command(0, kFdResult, integer("minimum")), command(1, kUnsignedResult),
                                     command(5, kHexResult, inout("lock", kPairType))};
constexpr Constant kFcntlNames[] = {{0, "F_DUPFD"}, {1, "F_GETFD"}, {5, "F_GETLK"}};
constexpr ConstantSet kFcntlCommands = enumeration("F_???", kFcntlNames);
constexpr CommandRow kOddRow = command(0, kUnsignedResult, integer("odd"));
constexpr CommandTable kFcntlTable{1, 2, kFcntlRows, 0xff,
                                   [](const Call& call) { return call.regs[1] & 1 ? &kOddRow : nullptr; }};
constexpr SyscallDesc kFcntl =
    row("fcntl", kDesc, kUnsignedResult, fd("fd"), flags("cmd", kFcntlCommands), hex("arg"), by_command(kFcntlTable));

TEST_CASE("decode: a command's row replaces arguments and result") {
  DecodeScene dup(kFcntl, {3, 0x100, 10});
  CHECK(dup.enter() == "fd:3; named:0x100; 10");
  dup.exit(11);
  CHECK(show(dup.decoded.result) == "fd:11");
  DecodeScene get(kFcntl, {3, 1, 10});
  CHECK(get.enter() == "fd:3; F_GETFD");
  DecodeScene lock(kFcntl, {3, 5, 0x1000});
  lock.options.abbreviate = SyscallSet{};
  lock.memory.put_object(0x1000, std::array<int64_t, 2>{1, 2});
  lock.enter();
  lock.memory.put_object(0x1000, std::array<int64_t, 2>{1, 3});
  CHECK(lock.exit(0) == "fd:3; F_GETLK; | {a=1, ~b=2} => {a=1, ~b=3}");
}

TEST_CASE("decode: commands without a row take the fallback's, or the call's own arguments") {
  DecodeScene odd(kFcntl, {3, 7, 10});
  CHECK(odd.enter() == "fd:3; named:0x7; 10");
  CHECK(std::string_view(odd.decoded.args[2].type->name) == "odd");
  DecodeScene other(kFcntl, {3, 8, 10});
  CHECK(other.enter() == "fd:3; named:0x8; 0xa");
}

TEST_CASE("decode: -e raw shows registers as they are, and the result in hexadecimal") {
  DecodeScene scene(kRead, {0x1ffffffff, 0x1000, 10});
  scene.options.raw = SyscallSet::all();
  CHECK(scene.enter() == "0x1ffffffff; 0x1000; 0xa");
  CHECK(scene.exit(10) == "0x1ffffffff; 0x1000; 0xa");
  CHECK(show(scene.decoded.result) == "0xa");
  CHECK(std::string_view(scene.decoded.args[2].type->name) == "arg3");
  static constexpr SyscallDesc kPread =
      row("pread64", kDesc, kUnsignedResult, fd("fd"), address("buf"), size("count"), loff("offset"));
  DecodeScene narrow(kPread, {3, 0x1000, 4, 5, 6, 7}, Abi::I386);
  narrow.options.raw = SyscallSet::all();
  CHECK(narrow.enter() == "0x3; 0x1000; 0x4; 0x5; 0x6");
}

TEST_CASE("decode: -e verbose leaves structures alone and still reads strings and buffers") {
  DecodeScene scene(kStat, {0x1000, 0x2000});
  scene.memory.put(0x1000, std::string_view("/etc\0", 5)).put_object(0x2000, std::array<int64_t, 2>{1, 2});
  scene.options.dereference = SyscallSet{};
  scene.enter();
  CHECK(scene.exit(0) == "\"/etc\"; | 0x2000");
  DecodeScene buffer(kWrite, {1, 0x1000, 3});
  buffer.memory.put(0x1000, "abc");
  buffer.options.dereference = SyscallSet{};
  CHECK(buffer.enter() == "fd:1; \"abc\"; 3");
}

TEST_CASE("decode: descriptors and processes are named only when asked for") {
  static constexpr SyscallDesc kMix = row("mix", kDesc, kFdResult, fd("fd"), dirfd("dir"), pid("pid"), fd("none"));
  DecodeScene scene(kMix, {3, static_cast<uint64_t>(-100), 7, static_cast<uint64_t>(-100)});
  scene.around.fds[3].path = "/a";
  scene.around.fds[-100].path = "/cwd";
  scene.around.comms[7] = "bash";
  scene.around.pids[7] = 1007;
  CHECK(scene.enter() == "fd:3; dirfd:-100; pid:7; fd:-100");
  scene.options.fd_targets = scene.options.comms = scene.options.translate_pids = true;
  CHECK(scene.enter() == "fd:3</a>; dirfd:-100</cwd>; pid:7<bash>@1007; fd:-100");
  scene.exit(3);
  CHECK(show(scene.decoded.result) == "fd:3</a>");
}

TEST_CASE("decode: a length that the kernel returns through a pointer is bounded by what the caller offered") {
  static constexpr SyscallDesc kAccept =
      row("accept", kNetwork, kFdResult, fd("fd"), bytes_out("addr", pointed_by(2)), inout("len", kUInt));
  DecodeScene scene(kAccept, {3, 0x1000, 0x2000});
  scene.memory.put(0x1000, "abcdefgh").put_object<uint32_t>(0x2000, 4);
  CHECK(scene.enter() == "fd:3; | ?; box[4]");
  scene.memory.put_object<uint32_t>(0x2000, 8);
  CHECK(scene.exit(5) == "fd:3; | \"abcd\"; box[4] => box[8]");
  DecodeScene bad(kAccept, {3, 0x1000, 0x3000});
  bad.enter();
  CHECK(bad.exit(5) == "fd:3; | 0x1000; bad:0x3000");
}

TEST_CASE("decode: what a call has behind its result is asked for only when it succeeded") {
  static constexpr SyscallDesc kAux = row("aux", kNone, kUnsignedResult, integer("n"),
                                          aux([](Decoder& d) { return Decoder::number(d.arg(0), Show::Signed); }));
  DecodeScene scene(kAux, {5});
  CHECK(scene.enter() == "5");
  CHECK_FALSE(scene.decoded.complete);
  scene.exit(0);
  CHECK(show(scene.decoded.aux) == "5");
  scene.enter();
  scene.fail(1);
  CHECK(scene.decoded.aux.absent());
}

TEST_CASE("decode: a custom row fills in arguments in both phases and sees what they were") {
  static constexpr ArgType kWhole = address("whole");
  static constexpr SyscallDesc kCustom =
      row("custom", kNone, kUnsignedResult, custom_args([](Decoder& d, DecodedCall& out) {
            if (d.phase() == Phase::Exit) {
              out.args[0].value = d.change(*d.at_enter(0), Decoder::number(2, Show::Signed));
              return;
            }
            out.args[0] = {&kWhole, Decoder::number(d.arg(0), Show::Signed)};
            out.count = 1;
          }));
  DecodeScene scene(kCustom, {1});
  CHECK(scene.enter() == "| 1");
  CHECK(scene.exit(0) == "| 1 => 2");
}

TEST_CASE("decode: unknown calls show six registers") {
  DecodeScene scene(unknown_syscall(), {1, 2, 0xffffffffffffff80, 0, 0, 6});
  CHECK(scene.enter() == "0x1; 0x2; 0xffffffffffffff80; 0; 0; 0x6");
}

}  // namespace
}  // namespace strut::test
