// The command lines of strut's own commands: CLI11's reading of their tables, and traps of its rules.
#include <doctest/doctest.h>

#include <initializer_list>

#include "cli/common/command_line.hpp"
#include "cli/common/wrapped_text.hpp"
#include "cli/trace/options.hpp"

namespace strut::test {
namespace {

constexpr CommandOption kOptions[] = {
    heading("Looks"),
    {"-v,--verbose", Takes::Nothing, 1, "", "say more"},
    {"-o,--output", Takes::Value, 2, "FILE",
     "write there, in as many words as it takes to fill a line of eighty columns"},
    {"--stack", Takes::MaybeValue, 3, "source", "stacks"},
};
constexpr CommandText kAnywhere = {"usage: tool [OPTIONS] FILE", "Does it.", Operands::Anywhere, kOptions};
constexpr CommandText kCommand = {"usage: tool [OPTIONS] COMMAND", "Does it.", Operands::Command, kOptions};
constexpr CommandText kNone = {"usage: tool", "Does it.", Operands::None, kOptions};

std::vector<std::string> owned(std::initializer_list<const char*> words) { return {words.begin(), words.end()}; }

/// "v o=file stack : operands"; "! why" where it is refused.
std::string read(const CommandText& command, std::initializer_list<const char*> words) {
  Result<CommandWords> typed = parse_command(command, owned(words));
  if (!typed) return "! " + typed.error().why;
  std::string text;
  for (const TypedOption& option : typed->options)
    text += option.name + (option.value ? "=" + *option.value : "") + " ";
  text += ":";
  for (const std::string& word : typed->operands) text += " " + word;
  return text;
}

}  // namespace

TEST_CASE("command line: options keep their order, clustered, attached and repeated") {
  CHECK(read(kAnywhere, {"-vofile", "--stack", "-v", "--output=other", "--stack=source"}) ==
        "verbose output=file stack verbose output=other stack=source :");
  CHECK(read(kAnywhere, {"a", "-v", "b", "--", "-v"}) == "verbose : a b -v");
  CHECK(read(kAnywhere, {"-o", "-", "-"}) == "output=- : -");
  CHECK(read(kAnywhere, {"-o", "-v"}) == "output=-v :");
}

TEST_CASE("command line: a command's own options are its own") {
  CHECK(read(kCommand, {"-v", "ls", "-v", "--output", "x", "--", "y"}) == "verbose : ls -v --output x -- y");
  CHECK(read(kCommand, {"-v", "--", "-odd", "--output="}) == "verbose : -odd --output=");
  CHECK(read(kCommand, {"-v", "ls", "--output="}) == "verbose : ls --output=");
  CHECK(read(kCommand, {"--stack", "source"}) == "stack : source");
}

TEST_CASE("command line: what is not there is refused, with what is close to it") {
  CHECK(read(kCommand, {"--ouput=x", "ls"}) == "! unknown option '--ouput=x'; nearest: --output");
  CHECK(read(kCommand, {"-q", "ls"}) == "! unknown option '-q'");
  CHECK(read(kAnywhere, {"file", "--verbos"}) == "! unknown option '--verbos'; nearest: --verbose");
  CHECK(read(kNone, {"file"}) == "! unexpected argument 'file'");
}

TEST_CASE("command line: a value that lacks or is too much") {
  CHECK(read(kAnywhere, {"--output"}) == "! '--output' lacks its value");
  CHECK(read(kAnywhere, {"--output=", "file"}) == "! '--output=' lacks its value");
  CHECK(read(kAnywhere, {"--verbose=yes"}) == "! '--verbose' takes no value");
}

TEST_CASE("command line: the help hangs in 80 columns") {
  CHECK(help_of(kAnywhere) ==
        "usage: tool [OPTIONS] FILE\n"
        "\n"
        "Does it.\n"
        "\n"
        "Looks\n"
        "  -v, --verbose         say more\n"
        "  -o, --output FILE     write there, in as many words as it takes to fill a line\n"
        "                        of eighty columns\n"
        "  --stack[=source]      stacks\n"
        "  -h, --help            this text\n");
}

TEST_CASE("command line: no line of a help is longer than 80 columns") {
  std::string help = trace_help();
  CHECK(help.find("--format") != std::string::npos);
  for (size_t begin = 0, end = 0; begin < help.size(); begin = end + 1) {
    end = help.find('\n', begin);
    size_t columns = 0;
    for (char c : help.substr(begin, end - begin)) columns += (c & 0xc0) != 0x80;
    CHECK_MESSAGE(columns <= 80, help.substr(begin, end - begin));
  }
}

TEST_CASE("wrapped text: blanks and newlines of its own stay") {
  CHECK(wrapped("", 10) == "");
  CHECK(wrapped("  one two three", 10) == "  one two\nthree\n");
  CHECK(wrapped("unbreakable word\n\nnext", 8) == "unbreakable\nword\n\nnext\n");
  CHECK(hung("a long label", "text", 6, 20) == "a long label\n      text\n");
}

}  // namespace strut::test
