#include <doctest/doctest.h>

#include <algorithm>

#include <unistd.h>

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

/// This process's own variables, for descriptions of watch.
extern "C" {
volatile uint32_t watched_word = 1;
alignas(8) volatile char watched_bytes[24] = {1};
thread_local volatile int watched_of_thread = 1;
}

namespace {

struct Watching {
  explicit Watching(std::vector<std::string> texts) {
    for (const std::string& text : texts) {
      auto pattern = watch_pattern(*parse_probe_description("watch" + std::to_string(::getpid()) + ":" + text));
      REQUIRE(pattern);
      auto names = *parse_probe_description("watch1:" + text);
      probes.demand({*pattern, names, static_cast<uint32_t>(demands), static_cast<uint32_t>(demands)});
      demands++;
    }
    auto modules = modules_of(Pid{::getpid()}, cache);
    REQUIRE(modules);
    for (const PidModule& module : *modules)
      if (module.is_program) probes.find(module, Pid{::getpid()}, found);
  }
  std::string refusal() const { return found.refused.empty() ? "" : found.refused[0].complaint.text; }

  ClauseSets sets;
  ModuleCache cache;
  uint32_t ids = 0, demands = 0;
  WatchProbes probes{sets, [this] { return ++ids; }};
  PidFound found;
};

}  // namespace

TEST_CASE("providers: watch finds variables, their lengths, and bytes of them") {
  Watching word({"a.out:watched_word:w", "a.out:watched_bytes+8:rw8", ":0x1000:w2"});
  REQUIRE(word.found.watches.size() == 3);
  CHECK(word.refusal().empty());
  CHECK(word.found.watches[0].range.bytes == 4);
  CHECK(word.found.watches[0].inode != 0);
  CHECK(word.found.watches[1].range.access == WatchAccess::ReadWrite);
  CHECK(word.found.watches[2].range == WatchedRange{0x1000, 2, WatchAccess::Write});
  CHECK(word.found.watches[2].inode == 0);
  CHECK(word.found.probes[0].function == "watched_word");
  CHECK(word.found.probes[1].name == "rw8");
  CHECK(word.found.probes[0].trigger.kind == DTrigger::Kind::Watch);
}

TEST_CASE("providers: two clauses of one watchpoint are one probe") {
  Watching both({"a.out:watched_word:w", "a.out:watched_word:w"});
  REQUIRE(both.found.probes.size() == 1);
  CHECK(std::ranges::equal(both.found.probes[0].clauses, std::vector<uint32_t>{0, 1}));
  CHECK(both.found.matched.size() == 2);
}

TEST_CASE("providers: watch refuses what no register can do") {
  CHECK(Watching({"a.out:watched_bytes:w"}).refusal() ==
        "'watched_bytes' has 24 bytes; a debug register watches 1, 2, 4 or 8: say a length, as in w8");
  CHECK(Watching({"a.out:watched_bytes+8:w"}).refusal().find("needs a length") != std::string::npos);
  CHECK(Watching({"a.out:watched_bytes+20:w8"}).refusal() ==
        "8 bytes at 'watched_bytes+20' reach beyond it: it has 24 bytes");
  CHECK(Watching({"a.out:watched_bytes+1:w2"}).refusal().find("only at a multiple of 2") != std::string::npos);
  CHECK(Watching({"a.out:watched_of_thread:w"}).refusal().find("is thread-local") != std::string::npos);
  CHECK(Watching({"a.out:watched_word:w", "a.out:watched_word:rw"}).refusal().find("watched already") !=
        std::string::npos);
  Watching five({":0x1000:w8", ":0x1008:w8", ":0x1010:w8", ":0x1018:w8", ":0x1020:w8"});
  CHECK(five.found.watches.size() == 4);
  CHECK(five.refusal() == "'0x1020' is one too many: a thread has four debug registers");
  CHECK(Watching({"a.out:no_such_variable:w"}).found.probes.empty());
}

TEST_CASE("providers: types of a watchpoint's arguments are by its length") {
  ProbeTable table;
  CHECK(types(table, "watch1::0x1000:w2") == "uintptr_t, uint16_t, uint16_t");
  CHECK(types(table, "watch1::main:x") == "uintptr_t");
  std::string own = "watch" + std::to_string(::getpid()) + ":a.out:";
  CHECK(types(table, own + "watched_word:w") == "uintptr_t, uint32_t, uint32_t");
}
