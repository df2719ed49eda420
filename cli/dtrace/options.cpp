#include "cli/dtrace/options.hpp"

#include <algorithm>

#include "base/plain_text.hpp"
#include "cli/common/message.hpp"
#include "cli/common/option_scanner.hpp"

namespace strut {

const char* const kDtraceUsage =
    R"(usage: dtrace [OPTIONS] {-n DESCRIPTION['/'PREDICATE'/'][{ACTIONS}] | -s FILE} ... [ARGUMENTS]
       dtrace -l [-v] [-P PROVIDER] [-n DESCRIPTION] ...

What to trace; each may be given several times, all of them are one program:
  -n [[[PROVIDER:]MODULE:]FUNCTION:]NAME   probes by name, with a predicate and actions in D
  -P PROVIDER  -m [PROVIDER:]MODULE  -f [[PROVIDER:]MODULE:]FUNCTION   the same by what they end with
  -i ID        a probe by the number that -l shows
  -s FILE      a D program; ARGUMENTS are its $1, $2 … (as strings $$1 …)
Processes:
  -c COMMAND   run it, words and quotes as in a shell; its pid is $target; ends when it ends
  -p PID       a process that runs; the first one is $target; ends when all have ended
How:
  -q           only what the program prints
  -F           indented by entries and returns of functions
  -o FILE      append output to a file
  -w           allow actions that change the target
  -Z           descriptions may match no probes
  -x NAME[=VALUE]  an option (strsize=, aggsortkey, maxprobes= …; the man page lists them)
  -b SIZE      the same as -x bufsize=SIZE
  --opcode     the same as -x opcode: offsets of pid probes are named by their instructions, too
  -C [-D NAME[=VALUE]] [-U NAME] [-I DIRECTORY]   run the programs through cpp first
  -l           list probes instead of tracing; -v: with the types of their arguments
  -e           compile, look for the probes, and end
  -S           show the program's bytecode
  -h -s FILE.d           write FILE.h, the header of a program with the probes that FILE.d declares
  -G -s FILE.d OBJECT... write FILE.o to link that program with
  SCRIPT ...   one of strut's own scripts, by its name as the first word; --list-scripts lists them
  -V, --version, --help   version; this text
  --backend=auto|ptrace|kassist, --format=text|json, --stats FILE   as for all of strut's tools
)";

namespace {

constexpr ShortOption kShorts[] = {
    {'n', Takes::Value, 'n'},
    {'P', Takes::Value, 'P'},
    {'m', Takes::Value, 'm'},
    {'f', Takes::Value, 'f'},
    {'i', Takes::Value, 'i'},
    {'s', Takes::Value, 's', "FILE"},
    {'c', Takes::Value, 'c', "COMMAND"},
    {'p', Takes::Value, 'p', "PID"},
    {'l', Takes::Nothing, 'l'},
    {'v', Takes::Nothing, 'v'},
    {'q', Takes::Nothing, 'q'},
    {'F', Takes::Nothing, 'F'},
    {'o', Takes::Value, 'o', "FILE"},
    {'b', Takes::Value, 'b'},
    {'w', Takes::Nothing, 'w'},
    {'Z', Takes::Nothing, 'Z'},
    {'e', Takes::Nothing, 'e'},
    {'V', Takes::Nothing, 'V'},
    {'h', Takes::Nothing, 'h'},
    {'x', Takes::Value, 'x'},
    {'C', Takes::Nothing, 'C'},
    {'D', Takes::Value, 'D'},
    {'U', Takes::Value, 'U'},
    {'I', Takes::Value, 'I', "DIR"},
    {'S', Takes::Nothing, 'S'},
    {'L', Takes::Value, 'L', "DIR"},
    {'X', Takes::Value, 'X'},
    {'H', Takes::Nothing, 'H'},
    {'a', Takes::Nothing, 'a'},
    {'A', Takes::Nothing, 'A'},
    {'G', Takes::Nothing, 'G'},
    {'B', Takes::Nothing, 'B'},
};

/// No letters of options.
constexpr int kListScripts = 0x100, kOpcode = 0x101;

/// As strut's other tools have them; DTrace has letters alone.
constexpr LongOption kToolLongs[] = {
    {"help", Takes::Nothing, 'h', LongOption::Spelling::Full},
    {"version", Takes::Nothing, 'V', LongOption::Spelling::Full},
    {"list-scripts", Takes::Nothing, kListScripts, LongOption::Spelling::Full},
    {"opcode", Takes::Nothing, kOpcode, LongOption::Spelling::Full},
};
constexpr auto kLongs = joined(kToolLongs, kOwnOptions);

/// DTrace has them and strut does not.
struct Refused {
  char letter;
  const char* why;
};
constexpr Refused kRefused[] = {
    {'a', "there is no anonymous tracing"},
    {'A', "there is no anonymous tracing"},
    {'B', "there is no binary buffer to show"},
};

/// strut's own options that are not about buffers: DTrace has options of its own for those (-x bufsize).
bool takes_option(int id) {
  if (id >= kOwnBackend) return id == kOwnBackend || id == kOwnStats || id == kOwnFormat;
  return std::ranges::find(kRefused, static_cast<char>(id), &Refused::letter) == std::end(kRefused);
}

struct ProgramLetter {
  char letter;
  DtraceProgram::Kind kind;
};
constexpr ProgramLetter kPrograms[] = {
    {'n', DtraceProgram::Kind::Name},     {'P', DtraceProgram::Kind::Provider}, {'m', DtraceProgram::Kind::Module},
    {'f', DtraceProgram::Kind::Function}, {'i', DtraceProgram::Kind::Id},       {'s', DtraceProgram::Kind::File},
};

Result<void> take_setting(DtraceOptions& options, std::string_view name, std::string_view value,
                          std::string_view written) {
  auto applied = apply_option(options.settings, name, value, OptionFrom::CommandLine);
  if (applied) return {};
  applied.error().op = "failed to set " + std::string(written);
  return applied;
}

Result<void> take_setting(DtraceOptions& options, std::string_view text) {
  size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  std::string_view value = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  return take_setting(options, name, value, "-x " + std::string(name));
}

Result<void> take_pid(DtraceOptions& options, std::string_view value) {
  auto pid = parse_decimal(value);
  if (!pid || *pid == 0) return fail({0, "invalid pid", {}, std::string(value), "the number of a process"});
  Pid given{static_cast<int32_t>(*pid)};
  if (std::ranges::find(options.attach, given) == options.attach.end()) options.attach.push_back(given);
  return {};
}

Result<void> take_flag(DtraceOptions& options, int letter) {
  switch (letter) {
    case 'l': options.action = DtraceOptions::Action::List; return {};
    case 'e': options.action = DtraceOptions::Action::CompileOnly; return {};
    case 'h': options.action = DtraceOptions::Action::Header; return {};
    case 'G': options.action = DtraceOptions::Action::Object; return {};
    case 'V': options.action = DtraceOptions::Action::Version; return {};
    case 'v': options.verbose = true; return {};
    case 'q': options.settings.quiet = true; return {};
    case 'F': options.settings.flowindent = true; return {};
    case 'w': options.settings.destructive = true; return {};
    case 'Z': options.settings.zdefs = true; return {};
    case 'S': options.settings.show_code = true; return {};
    case 'C': options.settings.cpp = true; return {};
    case 'H': options.settings.cpp_words.push_back("-H"); return {};
    default: break;
  }
  auto refused = std::ranges::find(kRefused, static_cast<char>(letter), &Refused::letter);
  return fail_because(std::string("-") + static_cast<char>(letter) + ": " + refused->why);
}

Result<void> take(DtraceOptions& options, const ScannedOption& option) {
  if (option.id >= kOwnBackend) {
    if (!takes_option(option.id)) return fail_because("--" + std::string(option.long_name) + " is not dtrace's");
    TRY_VOID(take_own_option(options.own, option));
    if (options.own.format->name == "text" || options.own.format->name == "json") return {};
    return fail_because("--format=" + std::string(options.own.format->name) + " is not dtrace's: it is text or json");
  }
  std::string value(option.value.value_or(""));
  auto program = std::ranges::find(kPrograms, option.id, &ProgramLetter::letter);
  if (program != std::end(kPrograms)) return options.programs.push_back({program->kind, value}), Result<void>{};
  if (option.long_name == "help") return options.action = DtraceOptions::Action::Help, Result<void>{};
  if (option.id == kListScripts) return options.action = DtraceOptions::Action::ListScripts, Result<void>{};
  switch (option.id) {
    case kOpcode: return options.settings.opcode = true, Result<void>{};
    case 'c': return options.commands.push_back(value), Result<void>{};
    case 'p': return take_pid(options, value);
    case 'o': return options.output = value, Result<void>{};
    case 'b': return take_setting(options, "bufsize", value, "-b " + value);
    case 'x': return take_setting(options, value);
    case 'D':
    case 'U':
    case 'I':
      return options.settings.cpp_words.push_back(std::string("-") + static_cast<char>(option.id) + value),
             Result<void>{};
    case 'L': return options.settings.libdirs.push_back(value), Result<void>{};
    case 'X': return take_setting(options, "stdc", value, "-X " + value);
    default: return take_flag(options, option.id);
  }
}

/// -h and -G write beside the script: into the current directory, by its name.
Result<void> take_built_name(DtraceOptions& options) {
  if (options.action == DtraceOptions::Action::Header && options.programs.empty())
    return options.action = DtraceOptions::Action::Help, Result<void>{};
  if (!options.builds()) return {};
  std::string letter = options.action == DtraceOptions::Action::Header ? "-h" : "-G";
  if (options.programs.empty()) return fail_because(letter + " requires one or more scripts or enabling options");
  if (!options.output.empty()) return {};
  if (options.programs.size() > 1)
    return fail_because(letter + " requires an output file if multiple scripts are specified");
  std::string script = options.programs[0].text.substr(options.programs[0].text.rfind('/') + 1);
  if (options.programs[0].kind != DtraceProgram::Kind::File || !script.ends_with(".d"))
    return fail_because(letter + " requires an output file if no scripts are specified");
  options.output = script.substr(0, script.size() - 1) + (letter == "-h" ? 'h' : 'o');
  return {};
}

/// `strut dtrace opensnoop -c ls`: a script of the binary's, with the options of its first line.
bool take_script(DtraceOptions& options, std::span<const std::string> words) {
  const DtraceScript* script = words.empty() ? nullptr : find_script(words[0]);
  if (script == nullptr) return false;
  options.programs.push_back({DtraceProgram::Kind::File, words[0], script});
  options.settings.quiet = script->text.substr(0, script->text.find('\n')).ends_with(" -qs");
  return true;
}

/// A word alone was most likely meant as a script's name.
std::unexpected<Error> no_probes(bool no_words) {
  std::string hint = no_words ? "" : "; --list-scripts shows the names of strut's own scripts";
  return fail({0, {}, {}, "no probes are asked for: -n, -P, -m, -f, -i or -s" + hint, std::string(kTryHelp)});
}

}  // namespace

OptionTables dtrace_options() { return {kShorts, kLongs, takes_option}; }

Result<DtraceOptions> parse_dtrace_options(std::span<const std::string> words) {
  DtraceOptions options;
  if (take_script(options, words)) words = words.subspan(1);
  while (!words.empty()) {
    OptionScanner scanner(kShorts, kLongs, words);
    while (auto option = TRY(scanner.next())) {
      TRY_VOID(take(options, *option));
      using enum DtraceOptions::Action;
      if (options.action == Help || options.action == Version || options.action == ListScripts) return options;
    }
    bool only_words = scanner.rest().size() < words.size() && *(scanner.rest().data() - 1) == "--";
    words = scanner.rest();
    size_t count = only_words ? words.size() : std::min<size_t>(words.size(), 1);
    options.arguments.insert(options.arguments.end(), words.begin(),
                             words.begin() + static_cast<std::ptrdiff_t>(count));
    words = words.subspan(count);
  }
  TRY_VOID(take_built_name(options));
  if (options.programs.empty() && options.action != DtraceOptions::Action::List &&
      options.action != DtraceOptions::Action::Help)
    return no_probes(options.arguments.empty());
  return options;
}

}  // namespace strut
