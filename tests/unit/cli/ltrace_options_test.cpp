// ltrace's command line.
#include "cli/ltrace/options.hpp"

#include <doctest/doctest.h>

namespace strut::test {
namespace {

Result<LtraceOptions> parsed(std::vector<std::string> words) { return parse_ltrace_options(words); }
LtraceOptions options(std::vector<std::string> words) {
  words.push_back("ls");
  Result<LtraceOptions> result = parsed(words);
  REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().why));
  return *result;
}
std::string error(std::vector<std::string> words) {
  Result<LtraceOptions> result = parsed(words);
  return result ? std::string() : result.error().why;
}

TEST_CASE("ltrace options: what is assumed") {
  LtraceOptions plain = options({});
  CHECK(plain.command == std::vector<std::string>{"ls"});
  CHECK(plain.style.max_string_bytes == 32);
  CHECK(plain.max_elements == 4);
  CHECK_FALSE(plain.style.pids);
  REQUIRE(plain.filters.calls.size() == 1);
  CHECK(plain.filters.calls[0].filter.matches("x", {"ls", "/bin/ls", true}));
  CHECK_FALSE(plain.filters.calls[0].filter.matches("x", {"libc.so.6", "/lib/libc.so.6", false}));
  CHECK(options({"-L"}).filters.calls.empty());
}

TEST_CASE("ltrace options: every option of the manual page is known") {
  LtraceOptions all = options({"-a", "20", "-A7",   "-b",  "-c",  "-C", "-D77", "-e", "malloc", "-f", "-F",  "conf",
                               "-i", "-l", "libc*", "-L",  "-n2", "-o", "out",  "-p", "12",     "-p", "12",  "-p13",
                               "-s", "9",  "-S",    "-tt", "-T",  "-u", "root", "-w", "3",      "-x", "free"});
  CHECK(all.style.result_column == 20);
  CHECK(all.max_elements == 7);
  CHECK_FALSE(all.style.signals);
  CHECK((all.count && all.demangle && all.follow && all.style.ip && all.system_calls && all.style.call_time));
  CHECK(all.config_paths == std::vector<std::string>{"conf"});
  CHECK(all.style.indent == 2);
  CHECK(all.output == "out");
  CHECK(all.attach == std::vector<Pid>{Pid{12}, Pid{13}});
  CHECK(all.style.max_string_bytes == 9);
  CHECK(all.style.absolute_time == AbsoluteTime::TimeOfDay);
  CHECK(all.style.microseconds);
  CHECK(all.user == "root");
  CHECK(all.stack_frames == 3);
  CHECK((all.filters.calls.size() == 1 && all.filters.symbols.size() == 1 && all.filters.libraries.size() == 1));
  CHECK((all.style.pids && !all.style.bracketed_pid));
  LtraceOptions spelled = options({"--align=9", "--no-signals", "--demangle", "--config=a", "--library=b", "--indent=3",
                                   "--output", "c", "--where=1", "--debug=1"});
  CHECK(
      (spelled.style.result_column == 9 && spelled.style.indent == 3 && spelled.demangle && spelled.stack_frames == 1));
  CHECK(options({"-ttt"}).style.absolute_time == AbsoluteTime::UnixTime);
  CHECK_FALSE(options({"-t"}).style.microseconds);
  CHECK(options({"-r"}).style.relative_time);
  CHECK(parsed({"-h"})->action == LtraceAction::ShowHelp);
  CHECK(parsed({"--version"})->action == LtraceAction::ShowVersion);
}

TEST_CASE("ltrace options: our own") {
  LtraceOptions own = options({"--depth", "3", "--tree", "--caller", "@MAIN", "--callee=@libc.so*", "--first=10",
                               "--errors", "--backend=ptrace"});
  CHECK((own.max_depth == 3 && own.tree && own.first_calls == 10 && own.count_errors));
  CHECK((own.filters.callers.size() == 1 && own.filters.callees.size() == 1));
  CHECK(own.own.backend == BackendChoice::Ptrace);
}

TEST_CASE("ltrace options: the command begins at the first word that is none") {
  LtraceOptions command = options({"-S", "--", "-c"});
  CHECK(command.command == std::vector<std::string>{"-c", "ls"});
  CHECK(options({"cat", "-n"}).style.indent == 0);
}

TEST_CASE("ltrace options: mistakes are said in one line") {
  CHECK(error({}) == "must have a command or -p PID");
  CHECK(error({"-n", "x", "ls"}) == "invalid argument of -n: 'x': it is a number from 0 to 20");
  CHECK(error({"-n", "21", "ls"}) == "invalid argument of -n: '21': it is a number from 0 to 20");
  CHECK(error({"-p", "0"}) == "invalid argument of -p: '0': it is a number from 1 to 2147483647");
  CHECK(error({"-s", "-1", "ls"}) == "invalid argument of -s: '-1': it is a number from 0 to 268435456");
  CHECK(error({"-r", "-t", "ls"}) == "-r and -t cannot be used together");
  CHECK(error({"-c", "--tree", "ls"}) == "-c and --tree cannot be used together");
  CHECK(error({"-e"}).find("requires an argument") != std::string::npos);
  CHECK(error({"-z", "ls"}).find("invalid option") != std::string::npos);
  CHECK(error({"-e", "/[/", "ls"}).find("invalid filter '/[/'") == 0);
  CHECK(error({"--backend=x", "ls"}).find("backend") != std::string::npos);
}

}  // namespace
}  // namespace strut::test
