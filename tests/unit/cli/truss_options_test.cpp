// truss's command line.
#include "cli/truss/options.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include "base/library_name.hpp"
#include "cli/truss/lists.hpp"

namespace strut::test {
namespace {

Result<TrussOptions> parsed(std::vector<std::string> words) { return parse_truss_options(words); }
TrussOptions options(std::vector<std::string> words) {
  words.push_back("ls");
  Result<TrussOptions> result = parsed(words);
  REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().why));
  return *result;
}
std::string error(std::vector<std::string> words) {
  Result<TrussOptions> result = parsed(words);
  return result ? std::string("none") : result.error().why;
}
bool has(const SyscallSet& set, std::string_view name) {
  const SyscallSlot* slot = find_syscall(Abi::X86_64, name);
  return slot && set.contains(Abi::X86_64, slot->nr);
}

TEST_CASE("truss options: what is assumed") {
  TrussOptions plain = options({});
  CHECK(plain.command == std::vector<std::string>{"ls"});
  CHECK(plain.style.calls == SyscallSet::all());
  CHECK(plain.style.signals.all());
  CHECK(plain.style.faults.all());
  CHECK(plain.style.raw.empty());
  CHECK(plain.style.verbose.empty());
  CHECK_FALSE(plain.request.follow);
  CHECK(plain.request.follow_threads);
  CHECK(plain.request.sleeping_after_ns == 1'000'000'000);
  CHECK(plain.request.spares_command);
  CHECK(plain.request.stop_on.nothing());
}

TEST_CASE("truss options: letters in a cluster") {
  TrussOptions all = options({"-fcaeildDEF", "-oout"});
  CHECK((all.request.follow && all.count && all.style.arguments && all.style.environment && all.style.lwps));
  CHECK((all.style.base_time && all.style.delta_time && all.style.system_time && all.force));
  CHECK(all.request.sleeping_after_ns == 0);
  CHECK(all.output == "out");
  CHECK(all.style.processes);
  CHECK(options({"-i"}).request.sleeping_after_ns == 0);
}

TEST_CASE("truss options: the first list clears the default, unless it begins with what is left out") {
  TrussOptions opens = options({"-t", "open,close", "-t", "read"});
  CHECK((has(opens.style.calls, "openat") && has(opens.style.calls, "openat2") && has(opens.style.calls, "creat")));
  CHECK((has(opens.style.calls, "close") && has(opens.style.calls, "read")));
  CHECK_FALSE(has(opens.style.calls, "write"));
  TrussOptions rest = options({"-t", "!read,write"});
  CHECK_FALSE((has(rest.style.calls, "read") || has(rest.style.calls, "write")));
  CHECK(has(rest.style.calls, "close"));
  TrussOptions inner = options({"-t", "all,!mmap,brk", "-t", "mmap"});
  CHECK(has(inner.style.calls, "mmap"));
  CHECK_FALSE(has(inner.style.calls, "brk"));
  CHECK(options({"-t!all"}).style.calls.empty());
  CHECK(has(options({"-t", "0,1"}).style.calls, "read"));
}

TEST_CASE("truss options: names of truss's for calls of Linux") {
  auto named = [](const char* word, const char* call) { return has(calls_named(word), call); };
  CHECK((named("fork", "clone3") && named("fork", "vfork") && named("stat", "newfstatat") && named("stat", "statx")));
  CHECK((named("exec", "execveat") && named("_exit", "exit_group") && named("unlink", "unlinkat") &&
         named("lwp_park", "futex")));
  CHECK((named("sigaction", "rt_sigaction") && named("pipe", "pipe2") && named("wait", "wait4")));
  CHECK_FALSE(named("close", "openat"));
  CHECK(calls_named("nothing_of_this_name").empty());
  // Old calls of i386 come with the name.
  CHECK(calls_named("stat").contains(Abi::I386, find_syscall(Abi::I386, "stat64")->nr));
}

TEST_CASE("truss options: signals and faults") {
  TrussOptions some = options({"-s", "SIGINT,chld,3", "-m", "FLTBOUNDS,izdiv,1"});
  CHECK(some.style.signals.count() == 3);
  CHECK((some.style.signals[SIGINT] && some.style.signals[SIGCHLD] && some.style.signals[SIGQUIT]));
  CHECK(some.style.faults.count() == 3);
  CHECK((some.style.faults[6] && some.style.faults[8] && some.style.faults[1]));
  CHECK_FALSE(options({"-s!SIGCLD"}).style.signals[SIGCHLD]);
  CHECK(options({"-m", "all,!FLTPAGE"}).style.faults[5]);
  CHECK_FALSE(options({"-m", "all,!FLTPAGE"}).style.faults[11]);
}

TEST_CASE("truss options: stops of a victim are reported, too") {
  TrussOptions stops = options({"-t!all", "-T", "open", "-s!all", "-S", "SIGUSR1", "-m!all", "-M", "FLTILL"});
  CHECK(has(stops.request.stop_on.calls, "openat"));
  CHECK(has(stops.style.calls, "openat"));
  CHECK((stops.request.stop_on.signals[SIGUSR1] && stops.style.signals[SIGUSR1]));
  CHECK((stops.request.stop_on.faults[1] && stops.style.faults[1]));
}

TEST_CASE("truss options: descriptors") {
  TrussOptions some = options({"-r", "0,3", "-w", "all,!2", "-r4"});
  const DecodeOptions& decode = some.request.decode;
  CHECK((decode.dump_reads.contains(0) && decode.dump_reads.contains(3) && decode.dump_reads.contains(4)));
  CHECK_FALSE(decode.dump_reads.contains(1));
  CHECK((decode.dump_writes.contains(1) && !decode.dump_writes.contains(2)));
  CHECK(options({}).request.decode.dump_writes.none());
}

TEST_CASE("truss options: processes and their threads") {
  TrussOptions grabs = *parsed({"-p", "123", "/proc/124", "125/1,7-9", "123"});
  CHECK(grabs.request.attach == std::vector<Pid>{Pid{123}, Pid{124}, Pid{125}});
  CHECK(grabs.warnings == std::vector<std::string>{"warning: duplicate process-id ignored: 123"});
  CHECK(grabs.style.processes);
  REQUIRE(grabs.style.only.contains(Pid{125}));
  CHECK(grabs.style.only[Pid{125}].size() == 2);
  CHECK(grabs.style.only[Pid{125}][1].last == 9);
  // Further threads of the same process.
  TrussOptions more = *parsed({"-p", "123/5", "123/7-"});
  CHECK(more.warnings.empty());
  CHECK((more.style.reports_of(Pid{123}, Tid{5}) && more.style.reports_of(Pid{123}, Tid{8}) &&
         !more.style.reports_of(Pid{123}, Tid{6})));
  CHECK(more.style.reports_of(Pid{124}, Tid{6}));
  CHECK_FALSE(parsed({"-p", "123"})->style.processes);
  CHECK(parsed({"-fp", "123"})->request.follow);
}

TEST_CASE("truss options: what is wrong is said") {
  CHECK(error({}) == "");
  CHECK(error({"-p"}) == "-p needs the ids of processes");
  CHECK(error({"-p", "x"}) == "'x' is no process: it is a number, /proc/NUMBER or NUMBER/LWPS");
  CHECK(error({"-p", "0"}).starts_with("'0' is no process"));
  CHECK(error({"-p", "9/"}).starts_with("'9/': behind the /"));
  CHECK(error({"-p", "9/5-3"}).starts_with("'9/5-3': behind the /"));
  CHECK(error({"-p", std::to_string(::getpid())}).ends_with("is this truss itself"));
  CHECK(error({"-t", "opem", "ls"}) == "-t: unknown system call 'opem'; nearest: open, ioperm, bpf");
  CHECK(error({"-S", "SIGFOO", "ls"}) == "-S: unknown signal 'SIGFOO'; nearest: SIGFPE, SIGIO, SIGBUS");
  CHECK(error({"-m", "FLTFOO", "ls"}) == "-m: unknown machine fault 'FLTFOO'; nearest: FLTFPE, FLTBPT, FLTILL");
  CHECK(error({"-w", "stdout", "ls"}) == "-w: unknown descriptor 'stdout'");
  CHECK(error({"-u", "", "ls"}) == "-u needs LIBRARIES:FUNCTIONS");
  CHECK(error({"-Z", "ls"}) != "none");
  CHECK(error({"-t"}) != "none");
}

TEST_CASE("truss functions: what choices mean") {
  auto choices = [](std::vector<std::string> texts) {
    std::vector<FunctionChoice> all;
    for (const std::string& text : texts) {
      std::vector<FunctionChoice> some = *parse_function_choices(text, 'u');
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  };
  using Kind = ModuleRole::Kind;
  constexpr ModuleRole kLibc{"libc"}, kLibm{"libm"}, kProgram{"a.out", Kind::Program}, kLinker{"ld", Kind::Linker};
  auto traced = [&](std::vector<std::string> texts, const ModuleRole& module, const char* function) {
    return wish_for(choices(texts), module, function).traced;
  };
  CHECK(traced({"libc:malloc"}, kLibc, "malloc"));
  CHECK_FALSE(traced({"libc:malloc"}, kLibc, "free"));
  CHECK_FALSE(traced({"libc:malloc"}, kLibm, "malloc"));
  CHECK(traced({"libc"}, kLibc, "free"));
  CHECK(traced({"lib*:str*"}, kLibc, "strlen"));
  CHECK(traced({":malloc"}, kLibc, "malloc"));
  CHECK_FALSE(traced({"*"}, kProgram, "main"));
  CHECK_FALSE(traced({"l*"}, kLinker, "main"));
  CHECK(traced({"ld"}, kLinker, "_dl_open"));
  CHECK(traced({"a.out"}, kProgram, "main"));
  CHECK(traced({"libc:!str*"}, kLibc, "malloc"));
  CHECK_FALSE(traced({"libc:!str*"}, kLibc, "strlen"));
  CHECK_FALSE(traced({"*", "!libc"}, kLibc, "malloc"));
  CHECK(traced({"*", "!libc"}, kLibm, "sin"));
  CHECK(traced({"!libc"}, kLibm, "sin"));
  CHECK(wish_for(choices({"a.out"}), kProgram, "main").internal);
  CHECK_FALSE(wish_for(choices({"libc:malloc"}), kLibc, "malloc").internal);
  CHECK(wish_for(choices({"libc::malloc"}), kLibc, "malloc").internal);
  CHECK(wish_for(*parse_function_choices("libc:exit", 'U'), kLibc, "exit").stops);
  // One word for two choices.
  auto two = choices({"libc:malloc,libm::"});
  REQUIRE(two.size() == 2);
  CHECK((wish_for(two, kLibc, "malloc").traced && !wish_for(two, kLibc, "free").traced &&
         wish_for(two, kLibm, "sin").internal));
  CHECK(may_trace(two, kLibm));
  CHECK_FALSE(may_trace(two, kProgram));
  CHECK(library_name("/usr/lib/x86_64-linux-gnu/libc.so.6") == "libc");
  CHECK(library_name("ld-linux-x86-64.so.2") == "ld");
  CHECK(library_name("libstdc++.so.6.0.30") == "libstdc++");
}

}  // namespace
}  // namespace strut::test
