#include <doctest/doctest.h>

#include <algorithm>

#include "dtrace/providers/linker_search.hpp"
#include "dtrace/session/enabling.hpp"
#include "dtrace/session/symbolizer.hpp"
#include "tests/unit/btf_file.hpp"

using namespace strut;

namespace {

std::vector<std::string> found(ProbeTable& table, std::string_view text) {
  std::vector<std::string> names;
  for (uint32_t id : table.find(*parse_probe_description(text))) {
    const OfferedProbe& p = table.at(id);
    names.push_back(p.provider + ':' + p.module + ':' + p.function + ':' + p.name);
  }
  return names;
}

std::string types(const ProbeTable& table, std::string_view text) {
  auto arguments = table.arguments(*parse_probe_description(text));
  if (!arguments) return "none";
  std::string joined;
  for (const DArgumentType& type : *arguments) joined += (joined.empty() ? "" : ", ") + type.type;
  return joined;
}

}  // namespace

TEST_CASE("providers: BEGIN, END and ERROR are 1, 2 and 3") {
  ProbeTable table;
  CHECK(table.find(*parse_probe_description("BEGIN")) == std::vector<uint32_t>{1});
  CHECK(table.find(*parse_probe_description("dtrace:::END")) == std::vector<uint32_t>{2});
  CHECK(table.find(*parse_probe_description("ERROR")) == std::vector<uint32_t>{3});
}

TEST_CASE("providers: intervals of timers") {
  for (auto [text, ns] : {std::pair<const char*, uint64_t>{"tick-1s", 1'000'000'000},
                          {"tick-10ms", 10'000'000},
                          {"tick-250us", 250'000},
                          {"tick-2min", 120'000'000'000},
                          {"tick-100", 10'000'000},
                          {"tick-100hz", 10'000'000},
                          {"tick-1d", 86'400'000'000'000},
                          {"tick-5sec", 5'000'000'000},
                          {"tick-300000nsec", 300'000}})
    CHECK(interval_of(text, "tick-") == ns);
  for (const char* text :
       {"tick-", "tick-0", "tick-1x", "tick--1", "tick-10us", "tick-99999999999999999999s", "tock-1s", "tick-1 s"})
    CHECK_FALSE(interval_of(text, "tick-"));
  ProbeTable table;
  CHECK(found(table, "tick-7ms") == std::vector<std::string>{"profile:::tick-7ms"});
  CHECK(found(table, "profile:::profile-97") == std::vector<std::string>{"profile:::profile-97"});
  CHECK(table.at(table.find(*parse_probe_description("profile-97"))[0]).trigger.interval_ns == 1'000'000'000 / 97);
  CHECK(found(table, "tick-1x").empty());
}

TEST_CASE("providers: system calls by Linux's names") {
  ProbeTable table;
  CHECK(found(table, "syscall::mun*:") ==
        std::vector<std::string>{"syscall:x64:munmap:entry", "syscall:x64:munmap:return", "syscall:x64:munlock:entry",
                                 "syscall:x64:munlock:return", "syscall:x64:munlockall:entry",
                                 "syscall:x64:munlockall:return"});
  CHECK(found(table, "syscall:vmlinux:read:entry") == found(table, "syscall::read:entry"));
  CHECK(found(table, "syscall::waitpid:entry") ==
        std::vector<std::string>{"syscall:i386:waitpid:entry", "syscall:alias:waitpid:entry"});
  CHECK(types(table, "syscall::read:entry") == "int, void *, uint64_t");
  CHECK(types(table, "syscall::read:return") == "int64_t, int64_t");
  CHECK(types(table, "syscall:::entry") == "none");
}

TEST_CASE("providers: old names of calls only if they are asked for, with the old arguments") {
  ProbeTable table;
  auto ids = table.find(*parse_probe_description("syscall::open:entry"));
  REQUIRE(ids.size() == 2);
  const DTrigger& alias = table.at(ids[1]).trigger;
  CHECK(table.at(ids[1]).module == "alias");
  CHECK(alias.calls.at(0).name == "openat");
  CHECK(alias.calls.at(0).first == 1);
  CHECK(found(table, "syscall::exece:return") == std::vector<std::string>{"syscall:alias:exece:return"});
  CHECK(types(table, "syscall:alias:open:entry") == "char *, int, uint16_t");
  ProbeTable other;
  for (const std::string& name : found(other, "syscall::op*:entry")) CHECK(name.find("alias") == std::string::npos);
  CHECK(table.find(*parse_probe_description("syscall::open:entry")) == ids);
}

TEST_CASE("providers: every old name stands for a call that there is") {
  ProbeTable table;
  for (const char* name :
       {"open64", "stat64", "fork1", "rexit", "pollsys", "lwp_create", "gtime", "llseek", "so_socket"}) {
    auto ids = table.find(*parse_probe_description(std::string("syscall::") + name + ":entry"));
    REQUIRE_MESSAGE(!ids.empty(), name);
    for (const DTrigger::Syscall& call : table.at(ids.back()).trigger.calls)
      CHECK(find_syscall(Abi::X86_64, call.name) != nullptr);
  }
}

TEST_CASE("providers: processes") {
  ProbeTable table;
  CHECK(found(table, "proc:::exec-success") == std::vector<std::string>{"proc:vmlinux::exec-success"});
  CHECK(types(table, "proc:::signal-send") == "lwpsinfo_t *, psinfo_t *, int");
  CHECK(types(table, "proc:::exec") == "string");
  CHECK(types(table, "proc:::start").empty());
}

TEST_CASE("providers: close names") {
  ProbeTable table;
  CHECK(table.close_names(*parse_probe_description("syscall::munmapp:entry"), ProbeField::Function).at(0) == "munmap");
  CHECK(table.close_names(*parse_probe_description("proc:::exec-sucess"), ProbeField::Name).at(0) == "exec-success");
}

TEST_CASE("linker search: what its cache says, and what is cut") {
  std::string cache = "glibc-ld.so.cache1.1";
  auto number = [&](uint32_t value) { cache.append(reinterpret_cast<const char*>(&value), 4); };
  number(2);
  cache.resize(48);
  uint32_t names = 48 + 2 * 24;
  auto entry = [&](uint32_t flags, uint32_t key, uint32_t value) {
    number(flags);
    number(key);
    number(value);
    cache.append(12, '\0');
  };
  entry(0x0303, names, names + 7);
  entry(0x0803, names, names + 7);
  cache += std::string("libx.so", 7) + std::string("", 0);
  cache[names + 6] = '\0';
  cache += "/lib/libx";
  auto libraries = parse_linker_cache("old format, then " + cache, kind_of_x86_64());
  REQUIRE(libraries.size() == 1);
  CHECK(libraries[0].name == "libx.s");
  CHECK(libraries[0].path == "/lib/libx");
  for (size_t cut = 0; cut < cache.size(); cut++) parse_linker_cache(cache.substr(0, cut), kind_of_x86_64());
  CHECK(parse_linker_cache("", kind_of_x86_64()).empty());
}

TEST_CASE("linker search: this machine's libc is what a program will have mapped") {
  auto libraries = libraries_of("/proc/self/exe", {});
  CHECK(std::ranges::any_of(libraries, [](const std::string& path) { return path.ends_with("/libc.so.6"); }));
  CHECK(std::ranges::any_of(libraries,
                            [](const std::string& path) { return path.find("/ld-linux") != std::string::npos; }));
  CHECK(program_run_by("/bin/ls").ends_with("/ls"));
  CHECK(program_run_by("/no/such/file").empty());
}

TEST_CASE("kernel symbols: functions by address") {
  auto kernel = KernelSymbols::parse(
      "ffffffff81000000 T startup\nffffffff81000100 t help\nffffffffc0000000 t probe\t[ext4]\nffffffff82000000 D "
      "data\nrubbish\n0000000000000000 T hidden\n");
  CHECK(kernel.at(0xffffffff81000104)->name == "help");
  CHECK(kernel.at(0xffffffff81000104)->offset == 4);
  CHECK(kernel.at(0xffffffff81000000)->module == "vmlinux");
  CHECK(kernel.at(0xffffffffc0000001)->module == "ext4");
  CHECK_FALSE(kernel.at(0x1000));
  REQUIRE(kernel.extent_of("startup"));
  CHECK(kernel.extent_of("startup")->begin == 0xffffffff81000000);
  CHECK(kernel.extent_of("startup")->end == 0xffffffff81000100);
  CHECK_FALSE(kernel.extent_of("probe"));  // a module's
}

namespace {

/// typedef void (*btf_trace_sched_wakes)(void *, int, struct node *); sched_sleeps without arguments.
std::vector<std::byte> two_tracepoints() {
  using namespace strut::test;
  BtfFile file;
  uint32_t number = file.add(kInt, "int", 4, {kSigned | 32});
  uint32_t node = file.add(kStruct, "node", 4, {file.name("a"), number, 0}, 1);
  uint32_t at_node = file.add(kPointer, "", node);
  uint32_t wakes = file.add(kPrototype, "", 0, {0, 0, 0, number, 0, at_node}, 3);
  uint32_t sleeps = file.add(kPrototype, "", 0, {0, 0}, 1);
  for (auto [name, prototype] : {std::pair("btf_trace_sched_wakes", wakes), {"btf_trace_sched_sleeps", sleeps}})
    file.add(kTypedef, name, file.add(kPointer, "", prototype));
  return file.bytes();
}

}  // namespace

TEST_CASE("providers: tracepoints of the kernel") {
  std::vector<std::byte> file = two_tracepoints();
  BtfTypes kernel([&] { return file; });
  ProbeTable table(&kernel);
  using Names = std::vector<std::string>;
  CHECK(found(table, "rawtp:::sched_wakes") == Names{"rawtp:vmlinux::sched_wakes"});
  CHECK(found(table, "rawtp:vmlinux::*_wakes") == Names{"rawtp:vmlinux::sched_wakes"});
  CHECK(found(table, "sdt:::") == Names{"sdt:vmlinux::sched_sleeps", "sdt:vmlinux::sched_wakes"});
  CHECK(found(table, "rawtp:sched::") == Names{"rawtp:vmlinux::sched_wakes", "rawtp:vmlinux::sched_sleeps"});
  CHECK(found(table, "rawtp:sched::sched_wakes") == Names{"rawtp:vmlinux::sched_wakes"});
  CHECK(found(table, "rawtp:block::").empty());
  CHECK(types(table, "rawtp:::sched_wakes") == "int, struct node *");
  CHECK(types(table, "rawtp:::sched_sleeps") == "");
  CHECK(types(table, "rawtp:::") == "none");
  const DTrigger& trigger = table.at(table.find(*parse_probe_description("rawtp:::sched_wakes"))[0]).trigger;
  CHECK(trigger.tracepoint.name == "sched_wakes");
  CHECK(trigger.tracepoint.arguments == 2);
  CHECK(found(table, "wakes").empty());
}

TEST_CASE("providers: the library of the kernel's events precedes programs that may mean one") {
  std::vector<std::byte> file = two_tracepoints();
  BtfTypes kernel([&] { return file; });
  ProbeTable table(&kernel), without;
  auto has_library = [](const ProbeTable& of, std::string_view text, ProbeField last = ProbeField::Name) {
    return !of.libraries(std::vector{*parse_probe_description(text, last)}).empty();
  };
  for (const char* text : {"tcp:::", "tc*:::", "*cp:::send", "*:::", "[tu]?p:::", "tcp:::nothing", "send", ":::se*d"})
    CHECK_MESSAGE(has_library(table, text), text);
  CHECK(has_library(table, "tc*", ProbeField::Provider));
  for (const char* text : {"rawtp:::", "tcpx:::send", "BEGIN", "read:entry", "syscall:::", "nothing:send"})
    CHECK_MESSAGE(!has_library(table, text), text);
  CHECK(!has_library(without, "tcp:::"));
}

TEST_CASE("providers: a name that only tracepoints have") {
  std::vector<std::byte> file = two_tracepoints();
  BtfTypes kernel([&] { return file; });
  ProbeTable table(&kernel);
  CHECK(found(table, "sched_sleeps").size() == 2);
  CHECK(types(table, "sched_wakes") == "int, struct node *");
  CHECK(found(table, "BEGIN").size() == 1);
}
