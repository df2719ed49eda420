#include <doctest/doctest.h>

#include "cli/common/shell_words.hpp"
#include "cli/dtrace/options.hpp"
#include "formatters/dtrace/rows.hpp"

using namespace strut;

namespace {

using Layout = DtraceRows::Layout;

std::string rows(DtraceRows& layout, Layout how, const std::vector<DtraceRow>& rows) {
  std::string out;
  for (const DtraceRow& row : rows) {
    layout.begin(out, row, how);
    out += "x";
    layout.end(out, how);
  }
  return out;
}

std::string words(std::string_view line) {
  auto split = shell_words(line);
  if (!split) return "error: " + split.error().why;
  std::string text;
  for (const std::string& word : *split) text += '[' + word + ']';
  return text;
}

Result<DtraceOptions> parse(std::vector<std::string> line) { return parse_dtrace_options(line); }

}  // namespace

TEST_CASE("dtrace rows: columns") {
  DtraceRows layout(false);
  CHECK(rows(layout, Layout::Columns,
             {{1, 87377, Tid{1}, "syscall", "munmap", "entry"},
              {11, 1234567, Tid{1}, "pid1", "a_function_with_a_very_long_name_", "return"}}) ==
        "CPU     ID                    FUNCTION:NAME\n"
        "  1  87377                     munmap:entry x\n"
        " 11 1234567 a_function_with_a_very_long_name_:return x\n");
  DtraceRows bare(true);
  CHECK(rows(bare, Layout::Columns, {{1, 87377, Tid{1}, "syscall", "munmap", "entry"}}) ==
        "                   FUNCTION:NAME\n                    munmap:entry x\n");
  CHECK(rows(layout, Layout::Quiet, {{}}) == "x");
}

TEST_CASE("dtrace rows: the flow of each thread") {
  DtraceRows layout(false);
  CHECK(rows(layout, Layout::Flow,
             {{0, 1, Tid{1}, "pid1", "f", "entry"},
              {0, 2, Tid{2}, "pid1", "h", "entry"},
              {0, 3, Tid{1}, "syscall", "read", "entry"},
              {0, 4, Tid{1}, "pid1", "f", "1a"},
              {0, 5, Tid{1}, "syscall", "read", "return"},
              {0, 6, Tid{1}, "pid1", "f", "return"},
              {0, 7, Tid{1}, "pid1", "f", "return"}}) ==
        "CPU FUNCTION                                 \n"
        "  0  -> f                                     x\n"
        "  0  -> h                                     x\n"
        "  0    => read                                x\n"
        "  0       | f:1a                              x\n"
        "  0    <= read                                x\n"
        "  0  <- f                                     x\n"
        "  0  <- f                                     x\n");
}

TEST_CASE("dtrace list: columns") {
  CHECK(dtrace_list_heading() == "   ID   PROVIDER            MODULE                          FUNCTION NAME\n");
  CHECK(dtrace_list_line(3, "dtrace", "", "", "END") ==
        "    3     dtrace                                                     END\n");
}

TEST_CASE("shell words: as a shell splits them") {
  CHECK(words("ls  -l\t/") == "[ls][-l][/]");
  CHECK(words("sh -c 'a \"b\" $c'") == "[sh][-c][a \"b\" $c]");
  CHECK(words(R"(a"b c"d\ e "\"\\\n" '')") == R"([ab cd e]["\\n][])");
  CHECK(words("") == "");
  CHECK(words("echo 'x").starts_with("error: a quote"));
}

TEST_CASE("dtrace options: letters together, options and arguments mixed") {
  auto options = parse({"-qs", "x.d", "a", "-w", "-p", "12", "-p12", "--", "-5"});
  REQUIRE(options.has_value());
  CHECK(options->programs.at(0).kind == DtraceProgram::Kind::File);
  CHECK(options->programs.at(0).text == "x.d");
  CHECK(options->settings.quiet);
  CHECK(options->settings.destructive);
  CHECK(options->arguments == std::vector<std::string>{"a", "-5"});
  CHECK(options->attach == std::vector<Pid>{Pid{12}});
  CHECK(parse({"-n", "BEGIN", "-x", "strsize=1k", "-b", "8m"})->settings.strsize == 1024);
  CHECK(parse({"-n", "BEGIN", "-b", "8m"})->settings.bufsize == 8 << 20);
  CHECK(parse({"-l"})->action == DtraceOptions::Action::List);
}

TEST_CASE("dtrace options: what is wrong is said") {
  auto why = [](std::vector<std::string> line) { return parse(std::move(line)).error().why; };
  CHECK(why({}) == "no probes are asked for: -n, -P, -m, -f, -i or -s");
  CHECK(parse({"-n", "BEGIN", "-x", "nosuch=1"}).error().op == "failed to set -x nosuch");
  CHECK(why({"-n", "BEGIN", "-x", "nosuch=1"}) == "Invalid option name");
  CHECK(parse({"-n", "BEGIN", "-p", "x"}).error().op == "invalid pid");
  CHECK(why({"-n", "BEGIN", "-p", "x"}) == "x");
  CHECK(why({"-n", "BEGIN", "-A"}) == "-A: there is no anonymous tracing");
  CHECK(why({"-n", "BEGIN", "--all"}) == "--all is not dtrace's");
}
