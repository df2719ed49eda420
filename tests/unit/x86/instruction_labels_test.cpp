#include "x86/instruction_labels.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/unit/code_bytes.hpp"

using namespace strut;

namespace {

Instruction decoded(std::string_view hex) {
  auto instruction = decode(test::code(hex), 0x1000);
  REQUIRE_MESSAGE(instruction, hex);
  return *instruction;
}

/// "branch jcc je".
std::string labels(std::string_view hex) {
  std::string text;
  for (std::string_view label : labels_of(decoded(hex))) text += (text.empty() ? "" : " ") + std::string(label);
  return text;
}

struct Row {
  const char* hex;
  const char* labels;
};

}  // namespace

TEST_CASE("instruction labels: branches") {
  for (const Row& row : {
           Row{"e8 00 00 00 00", "call branch"},
           {"ff d0", "call branch"},
           {"ff 15 00 00 00 00", "call branch"},
           {"3e ff d0", "call branch"},
           {"c3", "ret branch"},
           {"f3 c3", "ret branch"},
           {"c2 08 00", "ret branch"},
           {"cb", "ret branch retf"},
           {"eb 00", "jmp branch"},
           {"ff e0", "jmp branch"},
           {"74 00", "jcc branch je"},
           {"0f 8f 00 00 00 00", "jcc branch jg"},
           {"e3 00", "jcc branch jrcxz"},
           {"67 e3 00", "jcc branch jecxz"},
           {"e2 00", "loop branch"},
           {"e1 00", "loop branch loope"},
           {"e0 00", "loop branch loopne"},
           {"c7 f8 00 00 00 00", "xbegin"},
       })
    CHECK_MESSAGE(labels(row.hex) == row.labels, row.hex);
}

TEST_CASE("instruction labels: an instruction is of several classes") {
  for (const Row& row : {
           Row{"f0 0f b1 0f", "lock xchg cmpxchg"},
           {"f0 48 0f c1 07", "lock xchg xadd"},
           {"f0 0f c7 0f", "lock xchg cmpxchg8b"},
           {"f0 83 07 01", "lock add"},
           {"87 07", "lock xchg"},
           {"87 c1", "xchg"},
           {"0f b1 0f", "xchg cmpxchg"},
           {"f3 a4", "rep string movsb"},
           {"f3 48 ab", "rep string stosq"},
           {"f2 ae", "rep string scasb"},
           {"a4", "string movsb"},
       })
    CHECK_MESSAGE(labels(row.hex) == row.labels, row.hex);
}

TEST_CASE("instruction labels: prefixes that are parts of opcodes repeat nothing") {
  CHECK(labels("f3 90") == "pause");
  CHECK(labels("f3 0f 1e fa") == "endbr64");
  CHECK(labels("f3 0f b8 c1") == "popcnt");
  CHECK(labels("f2 0f 10 c1") == "vector movsd");
}

TEST_CASE("instruction labels: others") {
  for (const Row& row : {
           Row{"90", "nop"},
           {"66 90", "nop"},
           {"0f 1f 44 00 00", "nop"},
           {"66 2e 0f 1f 84 00 00 00 00 00", "nop"},
           {"0f 05", "syscall"},
           {"0f 34", "syscall sysenter"},
           {"cd 80", "int"},
           {"cc", "int int3"},
           {"39 c8", "cmp"},
           {"85 c0", "test"},
           {"0f 44 c1", "cmovcc cmove"},
           {"0f 95 c0", "setcc setne"},
           {"f7 f9", "div idiv"},
           {"48 f7 f1", "div"},
           {"0f ae f0", "fence mfence"},
           {"0f 18 0f", "prefetch prefetcht0"},
           {"0f 18 07", "prefetch prefetchnta"},
           {"0f 0d 0f", "prefetch prefetchw"},
           {"66 0f ef c0", "vector pxor"},
           {"0f 6f 07", "vector movq"},
           {"c5 f8 77", "vector vzeroupper"},
           {"c5 fd 6f 07", "vector vmovdqa"},
           {"c4 e2 70 f2 c2", "andn"},
           {"d9 e8", "x87 fld1"},
           {"48 89 e5", "mov"},
           {"48 b8 00 00 00 00 00 00 00 00", "movabs"},
       })
    CHECK_MESSAGE(labels(row.hex) == row.labels, row.hex);
}

TEST_CASE("instruction labels: every instruction has one, also without a name in Capstone") {
  Instruction unknown;
  CHECK(shown_mnemonic(unknown) == "unnamed");
  Instruction kmov = decoded("c5 f8 92 c8");  // kmovw %eax,%k1: Capstone 4 does not know it
  std::string all = labels("c5 f8 92 c8");
  CHECK(all == "vector " + std::string(shown_mnemonic(kmov)));
}

TEST_CASE("instruction labels: what may be asked for") {
  for (const char* name : {"jcc", "branch", "x87", "unnamed", "mov", "jne", "cmpxchg16b", "vpaddd", "nop", "cmp"})
    CHECK_MESSAGE(is_instruction_label(name), name);
  for (const char* name : {"", "movl", "callq", "jump", "jc c", "CALL"})
    CHECK_FALSE_MESSAGE(is_instruction_label(name), name);
}
