// The parts of its own code that a file has pointers to.
#include "libcalls/modules/own_pointers.hpp"

#include "tests/unit/code_file.hpp"
#include "tests/unit/symtab/packed_relocations_file.hpp"

namespace strut::test {
namespace {

TEST_CASE(
    "own pointers: what bytes of code would compute, wherever they begin, and not what they call, read or jump to") {
  CodeFile code;
  code.text(0x1001, "48 8d 3d 00 01 00 00");                                      // lea to 0x1108
  code.text(0x1011, "4c 8d 05 f0 fe ff ff");                                      // lea to 0xf08
  code.text(0x1021, "e8 da 01 00 00 8b 05 d4 02 00 00 e9 cf 03 00 00 8d 78 08");  // call 0x1200, mov 0x1300, jmp 0x1400
  auto module = code.make();
  OwnPointers pointers(module->elf());
  CHECK(pointers.to(0x1108));
  CHECK(pointers.to(0xf08));
  for (uint64_t address : {0x1200, 0x1300, 0x1400, 0x1107, 0x1001}) CHECK_FALSE(pointers.to(address));
}

TEST_CASE(
    "own pointers: what only the dynamic linker is told is nobody's, unless somebody has a pointer to who says it") {
  CodeFile code;
  code.text(0x1001, "48 8d 05 f8 01 00 00");  // lea to 0x1200, which a name may mean
  code.text(0x1101, "48 8d 05 f8 01 00 00");  // lea to 0x1300, by another chooser …
  code.text(0x1401, "48 8d 05 f8 fc ff ff");  // … that has its address taken: lea to 0x1100
  auto module = code.make();
  const CodeRange choosers[] = {{0x1100, 0x1120}, {0x1000, 0x1020}};
  OwnPointers pointers(module->elf(), choosers);
  CHECK_FALSE(pointers.to(0x1200));
  CHECK(pointers.to(0x1100));
  CHECK(pointers.to(0x1300));
  CHECK(OwnPointers(module->elf()).to(0x1200));
  CHECK(pointers.chosen_by(0x1200) == std::vector<uint64_t>{0x1000});
}

TEST_CASE("own pointers: what words hold that packed relocations name, and not what others do") {
  using File = PackedRelocationsFile<uint64_t>;
  constexpr uint64_t kWords = File::kBase + File::kPacked + 2 * sizeof(uint64_t);
  OwnPointers pointers(File::make({kWords, 0b101}, {0x1100, 0x1200, 0x1300}));
  CHECK(pointers.to(0x1100));
  CHECK(pointers.to(0x1300));
  CHECK_FALSE(pointers.to(0x1200));
}

}  // namespace
}  // namespace strut::test
