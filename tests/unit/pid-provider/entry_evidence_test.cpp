#include "pid-provider/entry_evidence.hpp"

#include <doctest/doctest.h>

#include "pid-provider/functions.hpp"
#include "symtab/process/process_modules.hpp"
#include "tests/unit/code_file.hpp"
#include "tests/unit/own_modules.hpp"

namespace strut::test {

TEST_CASE("entry evidence: no symbol of a sound file is contradicted") {
  OwnModules own;
  size_t looked_at = 0;
  for (const auto& module : own.modules.modules()) {
    if (!module->file) continue;
    CAPTURE(module->path);
    ModuleFunctions functions(*module->file);
    CHECK(functions.misplaced().empty());
    looked_at += functions.all().size();
  }
  CHECK(looked_at > 1000);
}

TEST_CASE("entry evidence: descriptions of a sound file are those of its search table") {
  OwnModules own;
  for (const char* name : {"libc", "a.out"}) {
    const Module* module = own.modules.named(name);
    if (!module) continue;  // linked statically
    CAPTURE(name);
    FunctionBounds bounds(module->file->elf());
    size_t listed = 0;
    for (const RangeMap::Range& range : bounds.all()) listed += bounds.is_listed(range.low) ? 1 : 0;
    CHECK(listed == bounds.all().size());
    CHECK(listed > 100);
    CHECK_FALSE(bounds.is_listed(bounds.all().front().low + 1));
  }
}

TEST_CASE("entry evidence: an address inside an instruction is contradicted, one between two is not") {
  OwnModules own;
  const Module* libc = own.modules.named("libc");
  REQUIRE(libc);
  ModuleFunctions functions(*libc->file);
  FunctionBounds bounds(libc->file->elf());
  EntryEvidence evidence(functions, bounds);
  size_t between = 0, inside = 0;
  constexpr size_t kMost = 50;
  for (const RangeMap::Range& range : bounds.all()) {
    if (between >= kMost) break;
    auto first = decode(libc->file->elf().at_address(range.low), range.low);
    // Nothing but a call or a jump may come from elsewhere, and none comes into the first instruction of a function.
    if (!functions.begins(range.low) || !first || first->length < 3 || first->flow != Flow::Next) continue;
    inside += evidence.contradicts(range.low + 1) ? 1 : 0;
    CHECK_FALSE(evidence.contradicts(range.low));
    CHECK_FALSE(evidence.contradicts(first->end()));
    between++;
  }
  CHECK(between == kMost);
  CHECK(inside == kMost);
}

namespace {

/// Functions whose symbols are misplaced in a file without frame descriptions: "in" begins at 1005.
size_t misplaced_with(std::string_view code) {
  CodeFile file;
  file.function("f", 0x1000, 3).function("in", 0x1005, 3).text(0x1000, code);
  auto module = file.make();
  return ModuleFunctions(*module).misplaced().size();
}

}  // namespace

TEST_CASE("entry evidence: code that nothing describes contradicts where it is nothing but instructions") {
  CHECK(misplaced_with("85 ff c3 48 8d 05 00 00 00 00 c3") == 1);              // 1003: lea 100a(%rip) = 100a
  CHECK(misplaced_with("85 ff c3 90 90 48 89 f8 c3") == 0);                    // it begins an instruction
  CHECK(misplaced_with("85 ff c3 48 8d 05 01 00 00 00 b8 c3 c3 c3 c3") == 0);  // lea of the middle of an instruction
  CHECK(misplaced_with("85 ff c3 48 8b 05 00 00 00 00 c3") == 0);              // the code is read as data
  CHECK(misplaced_with("eb 01 c3 48 8d 05 00 00 00 00 c3") == 1);              // a jump to 1003
  CHECK(misplaced_with("eb 02 c3 48 8d 05 00 00 00 00 c3") == 0);              // a jump to 1004
  CHECK(misplaced_with("85 ff c3 48 8d 05 00 00 00 00 06") == 0);              // no instruction
}

}  // namespace strut::test
