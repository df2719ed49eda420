#include <string>

#include <doctest/doctest.h>

#include "pid-provider/go_entry.hpp"
#include "pid-provider/placement.hpp"
#include "tests/unit/code_file.hpp"

using namespace strut;
using test::CodeFile;

namespace {

auto on(std::string_view hex) {
  auto instruction = decode(test::code(hex), 0x1000);
  REQUIRE_MESSAGE(instruction, hex);
  return uprobe_on(*instruction);
}

DecodedFunction function_of(std::string_view hex) {
  auto bytes = test::code(hex);
  auto module = CodeFile().function("f", 0x1000, bytes.size()).put(0x1000, bytes).make();
  return decode_function(ModuleFunctions(*module), {0x1000, 0x1000 + bytes.size()});
}

UprobePlace entry_of(std::string_view hex) {
  auto place = uprobe_entry(function_of(hex));
  REQUIRE_MESSAGE(place, hex);
  return *place;
}

}  // namespace

TEST_CASE("placement: what the kernel emulates and what it steps") {
  for (std::string_view hex : {"55", "41 57", "e8 00 00 00 00", "e9 00 00 00 00", "eb 00", "74 00", "0f 85 00 00 00 00",
                               "90", "66 90", "0f 1f 40 00"})
    CHECK_MESSAGE(on(hex) == UprobeCost::Emulated, hex);
  for (std::string_view hex :
       {"f3 0f 1e fa", "48 55", "48 89 e5", "c3", "c2 08 00", "5d", "c9", "e2 00", "e3 00", "ff d0",
        "ff 25 00 00 00 00", "6a 00", "64 48 8b 04 25 00 00 00 00", "c5 f0 57 c9", "c5 f8 c2 c0 00", "9d"})
    CHECK_MESSAGE(on(hex) == UprobeCost::Stepped, hex);
}

TEST_CASE("placement: what takes no uprobe") {
  auto refusal = [](std::string_view hex) {
    auto cost = on(hex);
    REQUIRE_FALSE_MESSAGE(cost.has_value(), hex);
    return cost.error();
  };
  for (std::string_view hex : {"f0 ff 08", "3e ff e0", "2e 90", "66 e9 00 00 00 00", "66 2e 0f 1f 84 00 00 00 00 00"})
    CHECK_MESSAGE(refusal(hex) == UprobeRefusal::Prefix, hex);
  for (std::string_view hex :
       {"cc", "cd 80", "f4", "ec", "8e d0", "c5 fa 6f 00", "c5 f9 ef c0", "c4 e1 f9 6e c0", "c4 e3 f9 6b c2 10"})
    CHECK_MESSAGE(refusal(hex) == UprobeRefusal::Opcode, hex);
  for (std::string_view hex : {"c5 f9 74 c1", "c5 f8 77", "c5 f1 eb c1", "c5 f1 e8 c1", "62 f1 7d 48 7f 00", "49 90"})
    CHECK_MESSAGE(refusal(hex) == UprobeRefusal::Misread, hex);
  CHECK(refusal("0f 05") == UprobeRefusal::SystemCall);
  CHECK(refusal("9c") == UprobeRefusal::TrapFlag);
  CHECK(refusal("c7 f8 00 00 00 00") == UprobeRefusal::Transaction);
  for (std::string_view hex : {"0f 1f 44 00 00", "66 0f 1f 04 00", "66 66 66 66 90"})
    CHECK_MESSAGE(refusal(hex) == UprobeRefusal::OptimisedNop, hex);
  for (auto every : {UprobeRefusal::Prefix, UprobeRefusal::Opcode, UprobeRefusal::Misread, UprobeRefusal::TrapFlag,
                     UprobeRefusal::OptimisedNop, UprobeRefusal::SystemCall, UprobeRefusal::Transaction})
    CHECK_FALSE(why(every).empty());
}

TEST_CASE("placement: an entry probe goes forward to what is emulated") {
  CHECK(entry_of("f3 0f 1e fa 55 c3").address == 0x1004);  // endbr64; push
  CHECK(entry_of("f3 0f 1e fa 55 c3").cost == UprobeCost::Emulated);
  CHECK(entry_of("85 ff 74 00 c3").address == 0x1002);  // test; je
  CHECK(entry_of("89 f8 41 54 c3").address == 0x1002);  // mov to %eax: its count of vector registers is not wanted
  CHECK(entry_of("89 f8 25 ff 0f 00 00 c1 e0 14 74 00 c3").address == 0x100a);  // strlen, strcmp: and, shl
  CHECK(entry_of("48 8b 05 00 00 00 00 55 c3").address == 0x1007);              // the module's own
  CHECK(entry_of("64 48 8b 04 25 28 00 00 00 55 c3").address == 0x1009);        // the thread's own
  CHECK(entry_of("f3 0f 1e fa 0f 1f 44 00 00 55 c3").address ==
        0x1009);                                                       // a compiler's place for a call: it takes none
  CHECK(entry_of("62 e2 7d 28 7a c6 48 89 f8 c3").address == 0x1006);  // memset: vpbroadcastb takes none
  CHECK(entry_of("c5 f9 6e c6 55 c3").address == 0x1004);              // vmovd
}

TEST_CASE("placement: an entry probe never passes what it must see") {
  for (std::string_view hex :
       {"48 83 ec 08 55 c3", "48 89 f7 55 c3", "8b 07 55 c3", "48 c7 07 00 00 00 00 55 c3", "0f 57 c0 55 c3",
        "5f 55 c3", "31 ff 55 c3", "30 ed 55 c3", "b5 01 55 c3", "f7 e1 55 c3", "99 55 c3", "0f 94 c1 55 c3",
        "ff 05 00 00 00 00 55 c3", "65 8b 04 25 00 00 00 00 55 c3"}) {
    CHECK_MESSAGE(entry_of(hex).address == 0x1000, hex);
    CHECK_MESSAGE(entry_of(hex).cost == UprobeCost::Stepped, hex);
  }
  // A loop comes back to the push: it would fire again.
  CHECK(entry_of("f3 0f 1e fa 55 5b 75 fc c3").address == 0x1000);
  auto locked = uprobe_entry(function_of("f0 ff 0f c3"));
  REQUIRE_FALSE(locked.has_value());
  CHECK(locked.error() == UprobeRefusal::Prefix);
}

TEST_CASE("placement: a function of Go is entered behind its stack check, which is made again on a larger stack") {
  auto behind = [](std::string_view hex) { return behind_stack_check(function_of(hex)); };
  const std::string body = "48 83 ec 08 48 83 c4 08 c3 e8 00 00 00 00 eb ";    // sub; add; ret; call; jmp
  CHECK(behind("4c 8d 64 24 e0 4d 3b 66 10 76 09 " + body + "e5") == 0x100b);  // lea; cmp 0x10(%r14),%r12; jbe
  CHECK(behind("49 3b 66 10 76 09 " + body + "ea") == 0x1006);                 // cmp 0x10(%r14),%rsp; jbe
  CHECK(behind("49 89 e4 49 81 ec 00 00 01 00 72 0f 4d 3b 66 10 76 09 " + body + "de") ==
        0x1012);                                                        // jb: a very large frame
  CHECK_FALSE(behind("49 3b 65 10 76 09 " + body + "ea").has_value());  // for another register
  CHECK_FALSE(behind("49 3b 66 10 76 09 " + body + "ee").has_value());  // it continues after the check
  CHECK_FALSE(behind("4c 8d 6c 24 e0 50 4d 3b 66 10 76 09 " + body + "e4").has_value());  // something is pushed before
}

TEST_CASE("placement: uretprobes, but not in Go, in a sandbox, or where the return address may be read") {
  ProcessTraits plain, sandboxed{true, false}, go{false, true};
  DecodedFunction leaf = function_of("55 48 83 ec 08 31 c0 48 83 c4 08 5d c3");
  CHECK(return_strategy(leaf, plain).strategy == ReturnStrategy::Uretprobe);
  CHECK(return_strategy(leaf, sandboxed).strategy == ReturnStrategy::Instructions);
  CHECK(return_strategy(leaf, go).strategy == ReturnStrategy::Instructions);
  for (std::string_view hex : {"e8 00 00 00 00 c3", "48 8b 04 24 c3", "48 89 e0 c3", "0f 05 c3", "ff d0 c3"})
    CHECK_MESSAGE(return_strategy(function_of(hex), plain).strategy == ReturnStrategy::Instructions, hex);
  CHECK(return_strategy(function_of("0f 0b"), plain).strategy == ReturnStrategy::None);
  CHECK(return_strategy(function_of("e8 00 00 00 00 3e ff e0"), plain).strategy == ReturnStrategy::None);
}
