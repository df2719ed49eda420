// The scanner against decode(): all code of this machine's C library, or of the files that STRUT_TRUTH names.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <elf.h>

#include "pid-provider/points.hpp"
#include "pid-provider/scanned_function.hpp"
#include "symtab/process/process_modules.hpp"
#include "tests/unit/code_bytes.hpp"
#include "tests/unit/own_modules.hpp"
#include "tests/unit/truth_files.hpp"
#include "x86/scanner.hpp"

using namespace strut;
using test::code;

namespace {

bool is_relative(Flow flow) { return flow == Flow::Jump || flow == Flow::JumpIf || flow == Flow::Call; }

bool agree(const Instruction& decoded, const Scanned& scanned) {
  bool same = decoded.length == scanned.length && decoded.flow == scanned.flow &&
              decoded.is_rip_relative() == scanned.is_rip_relative;
  if (is_relative(decoded.flow)) same = same && decoded.target() == scanned.target;
  return same && (!scanned.is_rip_relative || decoded.rip_target() == scanned.rip_target);
}

/// Instruction by instruction, as decode() has them. Bytes that it refuses are data; the scanner may be less strict
/// there.
void compare_code(const std::string& path, const ElfFile& file) {
  size_t instructions = 0, left = 0;
  for (const Section& section : file.sections()) {
    if (!(section.flags & SHF_EXECINSTR) || section.type != SHT_PROGBITS) continue;
    auto bytes = file.contents(section);
    for (size_t at = 0; at < bytes.size();) {
      auto decoded = decode(bytes.subspan(at), section.address + at);
      auto scanned = scan(bytes.subspan(at), section.address + at);
      if (decoded && scanned && !agree(*decoded, *scanned)) FAIL_CHECK(path << ": " << decoded->address);
      left += decoded && !scanned;
      instructions += decoded.has_value();
      at += decoded ? decoded->length : 1;
    }
  }
  CHECK(instructions > 1000);
  CHECK_MESSAGE(left * 10'000 < instructions, path);
  MESSAGE(path << ": " << instructions << " instructions, " << left << " left to decode()");
}

bool same_entry(const ModuleFunctions& functions, const DecodedFunction& whole, const DecodedFunction& entry) {
  uint64_t begin = whole.parts[0].begin;
  if (!whole.at(begin) || !entry.at(begin)) return !whole.at(begin) && !entry.at(begin);
  auto a = uprobe_entry_among(functions, whole), b = uprobe_entry_among(functions, entry);
  bool same = entry_of(functions, whole) == entry_of(functions, entry) && a.has_value() == b.has_value();
  return same && (!a || (a->address == b->address && a->cost == b->cost));
}

void compare_functions(const std::string& path, const ModuleFile& module) {
  ModuleFunctions functions(module);
  size_t scanned = 0, all = 0, entries = 0;
  uint64_t last = 0;
  for (const Function& function : functions.all()) {
    if (function.range.begin == last) continue;
    last = function.range.begin;
    InstructionStarts starts(functions, function.range);
    DecodedFunction decoded = decode_function(functions, function.range);
    bool same = true;
    for (uint64_t at = function.range.begin; at < function.range.end && same; at++) {
      const Instruction* i = decoded.at(at);
      same = starts.length_at(at) == (i ? i->length : 0);
    }
    if (!same) FAIL_CHECK(path << ": other instructions in the function at " << function.range.begin);
    all++;
    scanned += scan_function(module.elf(), function.range).has_value();
    entries += same_entry(functions, decoded, decode_entry(functions, function.range));
  }
  CHECK(entries == all);
  CHECK(scanned * 10 >= all * 8);
  MESSAGE(path << ": " << all << " functions, " << scanned << " scanned only");
}

}  // namespace

TEST_CASE("truth: the scanner reads code as decode() does") {
  std::vector<std::string> paths = test::truth_files();
  for (const std::string& path : paths) {
    auto file = ElfFile::open(path);
    REQUIRE_MESSAGE(file, path);
    ModuleFile module(std::move(*file), path, "");
    compare_code(path, module.elf());
    compare_functions(path, module);
  }
  if (!paths.empty()) return;
  test::OwnModules own;
  compare_code(own.libc().path, own.libc().file->elf());
  compare_functions(own.libc().path, *own.libc().file);
}

TEST_CASE("scanner: what is read in two ways is left to decode()") {
  CHECK_FALSE(scan(code("66 e9 00 00 00 00 00"), 0x1000).has_value());
  CHECK_FALSE(scan(code("66 0f 78 c0 01 02"), 0x1000).has_value());
  auto call = scan(code("66 48 e8 10 00 00 00"), 0x1000);
  REQUIRE(call);
  CHECK(call->target == 0x1017);
  CHECK_FALSE(scan(code("06"), 0x1000).has_value());
}
