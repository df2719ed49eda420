#include "pid-provider/entry_evidence.hpp"

#include <doctest/doctest.h>

#include "pid-provider/functions.hpp"
#include "symtab/process/process_modules.hpp"
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

}  // namespace strut::test
