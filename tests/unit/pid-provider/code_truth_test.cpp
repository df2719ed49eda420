// Our instructions and exits of functions against objdump's: in a part of this machine's libc, or in all
// executable sections of the files that STRUT_TRUTH names (a list with colons between).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <elf.h>

#include "pid-provider/control_flow.hpp"
#include "symtab/process/process_modules.hpp"
#include "tests/unit/own_modules.hpp"
#include "tests/unit/truth_files.hpp"

using namespace strut;

namespace {

constexpr uint64_t kPart = 0x20000;

/// A line of objdump: an instruction, or "(bad)".
struct Line {
  uint64_t address;
  bool is_return = false;
  uint64_t jumps_to = 0;  ///< for a direct jump; 0: it is none
  bool is_bad = false;
  bool is_last = false;  ///< zeros follow that objdump leaves out
  size_t block = 0;      ///< for the lines under one name
  std::string text = {};
};

/// Instructions that objdump shows and decode() does not have, or with another length.
struct Refusals {
  size_t in_code = 0, in_data = 0;
  std::string data;  ///< each name under which objdump shows (bad) as well: data between functions
};

/// "ret" of "repz ret", "jne" of "jne,pn 1234 <f>"; `operand` is the rest.
std::string mnemonic(std::string_view text, std::string_view& operand) {
  std::string word;
  do {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    word = text.substr(0, text.find_first_of(" ,\n"));
    text.remove_prefix(std::min(text.find_first_of(" \n"), text.size()));
  } while (word == "repz" || word == "bnd" || word == "notrack" || word == "data16" || word == "cs" || word == "ds");
  operand = text.substr(std::min(text.find_first_not_of(' '), text.size()));
  return word;
}

Line parse_line(uint64_t address, std::string_view text) {
  std::string_view operand;
  std::string word = mnemonic(text, operand);
  Line line{address, word.starts_with("ret"), 0, text.find("(bad)") != text.npos};
  line.text = text.substr(0, text.find('\n'));
  if (word.starts_with('j') && !operand.starts_with('*'))
    line.jumps_to = std::strtoull(std::string(operand).c_str(), nullptr, 16);
  return line;
}

std::vector<Line> objdump(const std::string& path, uint64_t from, uint64_t to) {
  char command[1024];
  std::snprintf(command, sizeof command,
                "objdump -d --no-show-raw-insn --start-address=%#lx --stop-address=%#lx '%s' 2>/dev/null", from, to,
                path.c_str());
  FILE* pipe = ::popen(command, "r");
  REQUIRE(pipe);
  std::vector<Line> lines;
  size_t block = 0;
  char text[1024];
  while (std::fgets(text, sizeof text, pipe)) {
    unsigned long address;
    int end = 0;
    if (std::strstr(text, "\t...") && !lines.empty()) lines.back().is_last = true;
    block += text[0] == '0';  // 0000000000001000 <name>:
    if (text[0] != ' ' || std::sscanf(text, " %lx:%n", &address, &end) != 1 || end == 0) continue;
    lines.push_back(parse_line(address, text + end + 1));
    lines.back().block = block;
  }
  ::pclose(pipe);
  return lines;
}

std::vector<uint64_t> our_addresses(const ElfFile& file, uint64_t from, uint64_t to) {
  std::vector<uint64_t> addresses;
  auto bytes = file.at_address(from);
  bytes = bytes.first(std::min<size_t>(bytes.size(), to - from));
  for (size_t at = 0; at < bytes.size();) {
    addresses.push_back(from + at);
    auto instruction = decode(bytes.subspan(at), from + at);
    at += instruction ? instruction->length : 1;
  }
  return addresses;
}

/// Every byte of a stretch, decoded one instruction after the other. Data among code (in hand-written code) may be read
/// otherwise.
bool same_sweep(const ElfFile& file, uint64_t from, uint64_t to, const std::vector<Line>& lines) {
  auto ours = our_addresses(file, from, to);
  return std::ranges::equal(lines, ours, {}, &Line::address);
}

std::string hexadecimal(uint64_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "%#lx", number);
  return text;
}

/// objdump gives prefixes that belong to nothing lines of their own, and fwait none where another follows that waits.
bool is_other_notation(std::span<const std::byte> shown) {
  constexpr std::string_view kPrefixes = "\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3";
  auto is_prefix = [&](std::byte byte) {
    return std::to_integer<unsigned>(byte) >> 4 == 4 || kPrefixes.contains(static_cast<char>(byte));
  };
  return shown[0] == std::byte{0x9b} || std::ranges::all_of(shown, is_prefix);
}

bool is_same(const ElfFile& file, const Line& line, uint64_t next) {
  auto code = file.at_address(line.address);
  auto instruction = decode(code, line.address);
  bool is_last = line.is_last || next - line.address > kLongestInstruction;
  if (instruction && (is_last || instruction->end() == next)) return true;
  return !is_last && is_other_notation(code.first(next - line.address));
}

/// From an object's symbol to the next symbol objdump shows bytes as text.
class Objects {
 public:
  explicit Objects(const ModuleFile& module) {
    for (const Symbol& symbol : module.symbols().all()) {
      bool& is_object = begins_.try_emplace(symbol.address, true).first->second;
      is_object = is_object && symbol.type == SymbolType::Object;
    }
  }
  bool contain(uint64_t address) const {
    auto above = begins_.upper_bound(address);
    return above != begins_.begin() && std::prev(above)->second;
  }

 private:
  std::map<uint64_t, bool> begins_;
};

Refusals refusals(const ModuleFile& module, const std::vector<Line>& lines) {
  std::set<size_t> with_data;
  for (const Line& line : lines)
    if (line.is_bad) with_data.insert(line.block);
  Objects objects(module);
  Refusals found;
  for (size_t i = 0; i + 1 < lines.size(); i++) {
    if (lines[i].is_bad || is_same(module.elf(), lines[i], lines[i + 1].address)) continue;
    if (objects.contain(lines[i].address)) continue;
    if (with_data.contains(lines[i].block)) {
      if (found.in_data++ < 12) found.data += "\n    " + hexadecimal(lines[i].address) + ": " + lines[i].text;
    } else {
      found.in_code++;
      FAIL_CHECK(hexadecimal(lines[i].address) << ": not as objdump has it: " << lines[i].text);
    }
  }
  return found;
}

struct Counts {
  size_t functions = 0, instructions = 0, returns = 0, indirect = 0, unknown = 0, in_doubt = 0, swept = 0,
         other_sweeps = 0;
  size_t unknown_to_objdump = 0;  ///< functions with instructions that it calls (bad): PadLock's hashes
  Refusals refused;
};

/// objdump's lines for one part: instructions, and those that leave all parts.
struct Expected {
  std::vector<uint64_t> instructions, returns;
};
void expect_of_part(const std::vector<Line>& lines, const CodeRange& part, const DecodedFunction& code,
                    Expected& into) {
  auto line = std::ranges::lower_bound(lines, part.begin, {}, &Line::address);
  for (; line != lines.end() && line->address < part.end; ++line) {
    uint64_t at = line->address;
    if (std::ranges::any_of(code.doubts, [&](const Doubt& d) { return d.range.contains(at); })) continue;
    into.instructions.push_back(at);
    bool leaves = line->jumps_to != 0 &&
                  std::ranges::none_of(code.parts, [&](const CodeRange& p) { return p.contains(line->jumps_to); });
    if (line->is_return || leaves) into.returns.push_back(at);
  }
}

std::span<const Line> lines_of(const std::vector<Line>& lines, const CodeRange& range) {
  auto first = std::ranges::lower_bound(lines, range.begin, {}, &Line::address);
  auto end = std::ranges::lower_bound(lines, range.end, {}, &Line::address);
  return {first, end};
}

void compare_function(const std::string& path, const std::vector<Line>& lines, const ModuleFunctions& functions,
                      const CodeRange& range, Counts& counts) {
  DecodedFunction code = decode_function(functions, range);
  bool is_shown = std::ranges::all_of(code.parts, [&](const CodeRange& p) {
    return p.begin >= lines.front().address && p.end <= lines.back().address;
  });
  if (!is_shown) return;
  auto is_lost = [&](const Line& line) { return line.is_bad && code.at(line.address); };
  if (std::ranges::any_of(lines_of(lines, range), is_lost)) {
    counts.unknown_to_objdump++;
    return;
  }
  Expected expected;
  for (const CodeRange& part : code.parts) expect_of_part(lines, part, code, expected);
  std::ranges::sort(expected.instructions);
  std::ranges::sort(expected.returns);
  std::vector<uint64_t> instructions, returns;
  for (const Instruction& i : code.instructions) instructions.push_back(i.address);
  for (const ReturnSite& site : code.returns)
    if (site.kind != ReturnSite::Kind::TailJumpIndirect) returns.push_back(site.address);
  if (instructions != expected.instructions)
    FAIL_CHECK(path << ": other instructions than objdump's in the function at " << hexadecimal(range.begin));
  if (returns != expected.returns)
    FAIL_CHECK(path << ": other returns than objdump's in the function at " << hexadecimal(range.begin));
  counts.functions++;
  counts.instructions += instructions.size();
  counts.returns += returns.size();
  counts.indirect += code.returns.size() - returns.size();
  counts.unknown += code.has_unknown_jump;
  counts.in_doubt += !code.doubts.empty();
}

/// One executable section, or the part of it in [from, to).
void compare(const ModuleFile& module, const std::string& path, const ModuleFunctions& functions, uint64_t from,
             uint64_t to, Counts& counts) {
  auto lines = objdump(path, from, to);
  if (lines.empty()) return;
  counts.other_sweeps += !same_sweep(functions.file(), from, to, lines);
  counts.swept += lines.size();
  Refusals refused = refusals(module, lines);
  counts.refused.in_code += refused.in_code;
  counts.refused.in_data += refused.in_data;
  counts.refused.data += refused.data;
  uint64_t last = 0;
  for (const Function& function : functions.all()) {
    bool is_alias = function.range.begin == last;
    last = function.range.begin;
    if (!is_alias && function.range.begin >= from && function.range.end <= to)
      compare_function(path, lines, functions, function.range, counts);
  }
}

void compare_whole(const std::string& path) {
  auto file = ElfFile::open(path);
  REQUIRE_MESSAGE(file, path);
  ModuleFile module(std::move(*file), path, "");
  ModuleFunctions functions(module);
  Counts counts;
  for (const Section& section : module.elf().sections())
    if ((section.flags & SHF_EXECINSTR) && section.type == SHT_PROGBITS)
      compare(module, path, functions, section.address, section.address + section.bytes, counts);
  MESSAGE(path << ": " << counts.swept << " instructions; " << counts.functions << " functions with "
               << counts.instructions << " instructions, " << counts.returns << " returns and tail jumps, "
               << counts.indirect << " through pointers; " << counts.unknown << " functions with unknown jumps, "
               << counts.in_doubt << " with bytes in doubt; " << counts.other_sweeps
               << " sections that objdump reads otherwise from end to end; not as objdump has them: "
               << counts.refused.in_code << " instructions in code, " << counts.unknown_to_objdump
               << " functions with instructions that it does not know, " << counts.refused.in_data
               << " between data, among them" << counts.refused.data);
}

}  // namespace

TEST_CASE("truth: instructions and returns are where objdump shows them") {
  std::vector<std::string> paths = test::truth_files();
  for (const std::string& path : paths) compare_whole(path);
  if (!paths.empty()) return;
  test::OwnModules own;
  const Module& libc = own.libc();
  const Section* text = libc.file->elf().section(".text");
  REQUIRE(text);
  REQUIRE(text->bytes > kPart);
  Counts counts;
  compare(*libc.file, libc.path, ModuleFunctions(*libc.file), text->address, text->address + kPart, counts);
  if (counts.swept == 0) MESSAGE("SKIPPED: no objdump here");
  else CHECK(counts.functions > 50);
  CHECK(counts.other_sweeps == 0);
}
