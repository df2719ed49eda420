#include <doctest/doctest.h>

#include "pid-provider/points.hpp"
#include "tests/unit/code_file.hpp"

using namespace strut;
using test::CodeFile;

namespace {

/// f: endbr64, push, pop, ret; twin: another name of f; f.cold; chooser: an IFUNC for f; endless.
CodeFile sample() {
  CodeFile file;
  file.function("f", 0x1000, 7).text(0x1000, "f3 0f 1e fa 55 5d c3");
  file.function("__twin", 0x1000, 7);
  file.function("f.cold", 0x1100, 1).text(0x1100, "c3");
  file.function("chooser", 0x1200, 8, STT_GNU_IFUNC).text(0x1200, "48 8d 05 f9 fd ff ff c3");
  file.function("endless", 0x1300, 2).text(0x1300, "eb fe");
  file.function("_init", 0x1400, 1).text(0x1400, "c3");
  file.function("constant", 0x3000, 8, STT_OBJECT);
  return file;
}

struct Found {
  std::unique_ptr<ModuleFile> module;
  ModuleFunctions functions;
  ProbeList list;
  std::expected<void, Complaint> outcome;

  Found(const CodeFile& file, std::string_view description, ProbeLimits limits = {})
      : module(file.make()), functions(*module) {
    auto asked = *parse_probe_description(description);
    auto pattern = asked.provider == "instr1" ? instr_pattern(asked) : pid_pattern(asked, asked.provider == "pid2");
    REQUIRE_MESSAGE(pattern, description);
    outcome = add_probes(functions, *pattern, limits, list);
  }
  /// "f:entry f:return" in the order of the list.
  std::string names() const {
    std::string text;
    for (const PidProbe& probe : list.probes)
      text += (text.empty() ? "" : " ") + std::string(list.functions[probe.function].name) + ":" + list.name_of(probe);
    return text;
  }
};

std::string names(std::string_view description) { return Found(sample(), description).names(); }

}  // namespace

TEST_CASE("points: every place of a function, entry first") {
  CHECK(names("pid1::f:") == "f:entry f:return f:0 f:4 f:5 f:6");
  CHECK(names("pid1::f:entry") == "f:entry");
  CHECK(names("pid1::f:return") == "f:return");
  CHECK(names("pid1::f:5") == "f:5");
  CHECK(names("pid1::f:[0-4]") == "f:0 f:4");
  CHECK(names("pid1::f:re*") == "f:return");
  CHECK(names("pid1::nothing:entry") == "");
}

TEST_CASE("points: sites, with where a uprobe goes") {
  Found f(sample(), "pid1::f:");
  const ProbeSite& entry = f.list.sites[f.list.probes[0].first_site];
  CHECK(entry.address == 0x1000);
  CHECK(entry.file_offset == 0x1000);
  REQUIRE(entry.uprobe);
  CHECK(entry.uprobe->address == 0x1004);
  CHECK(entry.uprobe->cost == UprobeCost::Emulated);
  const ProbeSite& back = f.list.sites[f.list.probes[1].first_site];
  CHECK(back.address == 0x1006);
  CHECK(back.kind == ReturnSite::Kind::Return);
  CHECK(f.list.sites[f.list.probes[2].first_site].uprobe->address == 0x1000);
}

TEST_CASE("points: where another function jumps into a prologue, the probe is on the first instruction") {
  auto entry_beside = [](std::string_view other) {
    // mov %rdi,%rax; cmp $32,%rdx; jb; ret
    CodeFile file = CodeFile()
                        .text(0x1100, "48 89 f8 48 83 fa 20 72 00 c3")
                        .function("moves", 0x1100, 10)
                        .text(0x1120, other)
                        .function("other", 0x1120, test::code(other).size());
    return Found(file, "pid1::moves:entry").list.sites.front().uprobe->address;
  };
  CHECK(entry_beside("48 89 f8 eb db") == 0x1107);           // jmp to the entry: a call of it
  CHECK(entry_beside("48 89 f8 eb de") == 0x1100);           // jmp behind its first instruction
  CHECK(entry_beside("48 89 f8 75 e2") == 0x1100);           // jne to where the probe would be
  CHECK(entry_beside("48 89 f8 eb e4") == 0x1107);           // jmp behind that
  CHECK(entry_beside("48 89 f8 e9 db ff ff ff") == 0x1100);  // with 32 bits
  CHECK(entry_beside("48 89 f8 0f 82 da ff ff ff") == 0x1100);
  CHECK(entry_beside("48 89 f8 0f 82 d7 ff ff ff") == 0x1107);
}

TEST_CASE("points: wildcards take an address once, by its best name that fits") {
  CHECK(names("pid1:::entry") == "f:entry endless:entry");
  CHECK(names("pid1::__*:entry") == "__twin:entry");
  CHECK(names("pid1::__twin:entry") == "__twin:entry");
  CHECK(names("pid1::_init:entry") == "_init:entry");
}

TEST_CASE("points: a function chosen at run time means what may be chosen") {
  Found chooser(sample(), "pid1::chooser:entry");
  CHECK(chooser.names() == "chooser:entry");
  CHECK(chooser.list.sites.at(0).address == 0x1000);
}

TEST_CASE("points: what cannot be had says why") {
  auto complaint = [](std::string_view description) {
    Found found(sample(), description);
    CHECK(found.list.probes.empty());
    REQUIRE_MESSAGE(found.list.refused.size() == 1, description);
    return found.list.refused[0];
  };
  CHECK(complaint("pid1::f:2").tag == "D_PROC_ALIGN");
  CHECK(complaint("pid1::f:2").text == "f: offset 0x2 is not aligned on an instruction");
  CHECK(complaint("pid1::f:7").tag == "D_PROC_OFF");
  CHECK(complaint("pid1::endless:return").text == "endless: it never returns, as far as its code says");
  CHECK(complaint("pid1::f.cold:entry").text == "f.cold: it is a part of f and is not called");
  CHECK(names("pid1::f.cold:0") == "f.cold:0");
}

/// f: cmp, je, lock cmpxchg, call *%rax, ret; its twin; g-h, with a dash in its name: ret.
CodeFile instructions() {
  CodeFile file;
  file.function("f", 0x1000, 11).text(0x1000, "39 c8 74 00 f0 0f b1 0f ff d0 c3");
  file.function("__twin", 0x1000, 11);
  file.function("g-h", 0x1100, 1).text(0x1100, "c3");
  return file;
}

std::string instructions(std::string_view description) { return Found(instructions(), description).names(); }

TEST_CASE("points: instructions of a class, a probe for each class that fits") {
  CHECK(instructions("instr1::f-jcc:") == "f:2");
  CHECK(instructions("instr1::f-cmpxchg:4") == "f:4");
  CHECK(instructions("instr1::f-*:0x0004") == "f:4 f:4 f:4");
  CHECK(instructions("instr1::f-branch:*") == "f:2 f:8 f:a");
  CHECK(instructions("instr1::f-*:[0-3]") == "f:0 f:2 f:2 f:2");
  CHECK(instructions("instr1::*-ret:") == "f:a g-h:0");
  CHECK(instructions("instr1::g-h-ret:") == "g-h:0");
  CHECK(instructions("instr1::__t*:a") == "__twin:a __twin:a");
  CHECK(instructions("instr1::*twin-r[e]t:") == "__twin:a");
  CHECK(instructions("instr1::[f]-lock:") == "f:4");
  CHECK(instructions("instr1::*jcc:") == "f:2");
  CHECK(instructions("instr1::nothing-ret:") == "");
  Found all(instructions(), "instr1:::");
  std::string labels;
  for (const PidProbe& probe : all.list.probes) labels += std::string(probe.label) + " ";
  CHECK(labels == "cmp jcc branch je lock xchg cmpxchg call branch ret branch ret branch ");
}

TEST_CASE("points: arguments of instructions, which those of one instruction share") {
  Found found(instructions(), "instr1::f-*:");
  auto of = [&](size_t probe) {
    return found.list.arguments.at(found.list.sites.at(found.list.probes.at(probe).first_site).arguments).size();
  };
  CHECK(of(0) == 0);
  CHECK(of(1) == 2);
  CHECK(found.list.arguments.size() == 4);  // none, je, call, ret
}

TEST_CASE("points: arguments of an instruction at which the list has another probe") {
  Found found(instructions(), "pid1::f:2");
  auto pattern = instr_pattern(*parse_probe_description("instr1::f-jcc:"));
  REQUIRE(add_probes(found.functions, *pattern, {}, found.list));
  REQUIRE(found.list.sites.size() == 2);
  REQUIRE(found.list.arguments.size() == 2);
  CHECK(found.list.arguments[found.list.sites[1].arguments].size() == 2);
}

TEST_CASE("points: instructions that there are not") {
  auto complaint = [](std::string_view description) {
    Found found(instructions(), description);
    CHECK(found.list.probes.empty());
    REQUIRE_MESSAGE(found.list.refused.size() == 1, description);
    return found.list.refused[0].text;
  };
  CHECK(complaint("instr1::f-loop:") == "f: it has no instruction 'loop'");
  CHECK(complaint("instr1::f-jcc:4") == "f: it has no instruction 'jcc' at offset 0x4");
}

TEST_CASE("points: offsets that are named by their instructions") {
  CHECK(instructions("pid2::f:[0-9a-z]*-[0-9a-f]") == "f:cmp-0 f:je-2 f:cmpxchg-4 f:call-8 f:ret-a");
  CHECK(instructions("pid2::f:") == "f:entry f:return f:cmp-0 f:je-2 f:cmpxchg-4 f:call-8 f:ret-a");
  CHECK(instructions("pid2::f:je-2") == "f:je-2");
  CHECK(instructions("pid2::f:2") == "f:je-2");
  Found other(instructions(), "pid2::f:jne-2");
  CHECK(other.list.refused.at(0).text == "f: offset 0x2 is no jne but je");
}

TEST_CASE("points: too many") {
  ProbeLimits limits;
  limits.max_probes = 3;
  Found found(sample(), "pid1:::", limits);
  REQUIRE_FALSE(found.outcome.has_value());
  CHECK(found.outcome.error().text.starts_with("more than 3 probes"));
  CHECK(found.list.probes.size() == 3);
  limits.max_probes = 6;
  CHECK(Found(sample(), "pid1::f:", limits).outcome.has_value());
}

TEST_CASE("points: an address") {
  auto module = sample().make();
  ModuleFunctions functions(*module);
  ProbeList list;
  CHECK(add_probe_at(functions, 0x1005, list).has_value());
  CHECK(list.sites.at(0).address == 0x1005);
  CHECK(add_probe_at(functions, 0x1001, list).error().tag == "D_PROC_ALIGN");
  CHECK(add_probe_at(functions, 0x2fff, list).error().tag == "D_PROC_OFF");
  CHECK(list.probes.size() == 1);
}

TEST_CASE("points: code of another machine") {
  Found found(sample().machine(EM_AARCH64), "pid1::f:entry");
  REQUIRE_FALSE(found.outcome.has_value());
  CHECK(found.outcome.error().tag == "D_PROC_LIB");
}
