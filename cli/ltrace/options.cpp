#include "cli/ltrace/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "cli/common/option_scanner.hpp"

namespace strut {

const char* const kLtraceUsage = R"(usage: ltrace [OPTIONS] [--] COMMAND [ARG ...]
       ltrace [OPTIONS] -p PID ...

Traces calls of library functions (and with -S of the system) that a program makes.

What:
  -e FILTER            calls to trace: NAME, NAME@CALLER, globs, /REGEX/, chained by + and -; without it, @MAIN
  -L                   none but what -l, -x, -S say
  -l, --library PATTERN  calls from anywhere into these libraries
  -x FILTER            functions to trace wherever they are called from: NAME@LIBRARY
  -S                   system calls too
      --caller FILTER, --callee FILTER  only calls from, into these modules: @PATTERN
      --depth N        nothing nested deeper than N calls
      --first N        of each function only the first N calls
Processes:
  -p PID               attach to a process (may be repeated)
  -f                   follow children
  -u USER              run the command as this user
Looks:
  -a, --align N        column of results         -A N    elements of arrays shown (4)
  -s N                 length of strings (32)     -n, --indent N  blanks for each level of nesting
  -C, --demangle       C++ names                  -b, --no-signals
  -i                   instruction pointers       -w, --where N   callers below it
  -r                   relative times             -t -tt -ttt     times of day, with microseconds, since the epoch
  -T                   time in each call          -c      count and report at the end
      --tree           a tree of calls with their times
      --errors         errno of calls that failed; with -c how many did
  -o, --output FILE    write there
  -F, --config PATHS   prototypes from these files, from LIBRARY.conf in these directories; A:B (may be repeated)
      --backend=ptrace|kassist|auto, --format=text|json|chrome, --stats FILE, --no-brake, --ring-size N
  -h, --help           this text                  -V, --version
)";

namespace {

enum Id : int {
  kAlign = 1,
  kElements,
  kNoSignals,
  kCount,
  kDemangle,
  kDebug,
  kFilter,
  kFollow,
  kConfig,
  kHelp,
  kIp,
  kLibrary,
  kNoDefault,
  kIndent,
  kOutput,
  kPid,
  kRelative,
  kStringSize,
  kSyscalls,
  kTime,
  kCallTime,
  kUser,
  kVersion,
  kWhere,
  kSymbols,
  kCaller,
  kCallee,
  kDepth,
  kFirst,
  kTree,
  kErrors,
};

constexpr ShortOption kShorts[] = {
    {'a', Takes::Value, kAlign},        {'A', Takes::Value, kElements},   {'b', Takes::Nothing, kNoSignals},
    {'c', Takes::Nothing, kCount},      {'C', Takes::Nothing, kDemangle}, {'D', Takes::Value, kDebug},
    {'e', Takes::Value, kFilter},       {'f', Takes::Nothing, kFollow},   {'F', Takes::Value, kConfig, "FILE"},
    {'h', Takes::Nothing, kHelp},       {'i', Takes::Nothing, kIp},       {'l', Takes::Value, kLibrary},
    {'L', Takes::Nothing, kNoDefault},  {'n', Takes::Value, kIndent},     {'o', Takes::Value, kOutput, "FILE"},
    {'p', Takes::Value, kPid, "PID"},   {'r', Takes::Nothing, kRelative}, {'s', Takes::Value, kStringSize},
    {'S', Takes::Nothing, kSyscalls},   {'t', Takes::Nothing, kTime},     {'T', Takes::Nothing, kCallTime},
    {'u', Takes::Value, kUser, "USER"}, {'V', Takes::Nothing, kVersion},  {'w', Takes::Value, kWhere},
    {'x', Takes::Value, kSymbols},
};
constexpr LongOption kToolLongs[] = {
    {"align", Takes::Value, kAlign},
    {"no-signals", Takes::Nothing, kNoSignals},
    {"demangle", Takes::Nothing, kDemangle},
    {"debug", Takes::Value, kDebug},
    {"config", Takes::Value, kConfig},
    {"help", Takes::Nothing, kHelp},
    {"library", Takes::Value, kLibrary},
    {"indent", Takes::Value, kIndent},
    {"output", Takes::Value, kOutput},
    {"version", Takes::Nothing, kVersion},
    {"where", Takes::Value, kWhere},
    {"caller", Takes::Value, kCaller, LongOption::Spelling::Full},
    {"callee", Takes::Value, kCallee, LongOption::Spelling::Full},
    {"depth", Takes::Value, kDepth, LongOption::Spelling::Full},
    {"first", Takes::Value, kFirst, LongOption::Spelling::Full},
    {"tree", Takes::Nothing, kTree, LongOption::Spelling::Full},
    {"errors", Takes::Nothing, kErrors, LongOption::Spelling::Full},
};

constexpr auto kLongs = joined(kToolLongs, kOwnOptions);

/// Limits of an option's number.
struct Bounds {
  const char* option;
  uint64_t least, most;
};
Result<uint64_t> number(std::string_view text, Bounds bounds) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= bounds.least && value <= bounds.most)
    return value;
  return fail_because(std::string("invalid argument of ") + bounds.option + ": '" + std::string(text) +
                      "': it is a number from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most));
}

class Taking {
 public:
  Result<void> take(const ScannedOption& option) {
    if (option.id >= kOwnBackend) return take_own_option(options.own, option);
    TRY_VOID(take_look(option));
    return take_choice(option.id, option.value.value_or(""));
  }

  LtraceOptions options;
  int times = 0;  ///< how often -t was given

 private:
  Result<void> take_look(const ScannedOption& option) {
    LtraceStyle& style = options.style;
    std::string_view value = option.value.value_or("");
    switch (option.id) {
      case kAlign:
        style.result_column = static_cast<uint32_t>(TRY(number(value, {"-a", 0, 10000})));
        options.has_column = true;
        break;
      case kElements: options.max_elements = TRY(number(value, {"-A", 0, 1u << 20})); break;
      case kStringSize: style.max_string_bytes = TRY(number(value, {"-s", 0, 1u << 28})); break;
      case kIndent: style.indent = static_cast<uint32_t>(TRY(number(value, {"-n", 0, 20}))); break;
      case kWhere: options.stack_frames = static_cast<uint32_t>(TRY(number(value, {"-w", 1, 1024}))); break;
      case kDepth: options.max_depth = static_cast<uint32_t>(TRY(number(value, {"--depth", 1, 1u << 20}))); break;
      case kFirst: options.first_calls = TRY(number(value, {"--first", 1, UINT64_MAX})); break;
      case kNoSignals: style.signals = false; break;
      case kIp: style.ip = true; break;
      case kRelative: style.relative_time = true; break;
      case kTime: times++; break;
      case kCallTime: style.call_time = true; break;
      case kErrors: style.errors = options.count_errors = true; break;
      default: break;
    }
    return {};
  }

  Result<void> take_choice(int id, std::string_view value) {
    switch (id) {
      case kHelp: options.action = LtraceAction::ShowHelp; break;
      case kVersion: options.action = LtraceAction::ShowVersion; break;
      case kCount: options.count = true; break;
      case kDemangle: options.demangle = true; break;
      case kFollow: options.follow = true; break;
      case kSyscalls: options.system_calls = true; break;
      case kNoDefault: options.default_filter = false; break;
      case kTree: options.tree = true; break;
      case kFilter: options.filters.calls.push_back({std::string(value), TRY(SymbolFilter::parse(value))}); break;
      case kSymbols: options.filters.symbols.push_back({std::string(value), TRY(SymbolFilter::parse(value))}); break;
      case kLibrary:
        options.filters.libraries.push_back({std::string(value), TRY(SymbolFilter::of_modules(value))});
        break;
      case kCaller: options.filters.callers.push_back({std::string(value), TRY(SymbolFilter::parse(value))}); break;
      case kCallee: options.filters.callees.push_back({std::string(value), TRY(SymbolFilter::parse(value))}); break;
      case kConfig: options.config_paths.emplace_back(value); break;
      case kOutput: options.output = value; break;
      case kUser: options.user = value; break;
      case kPid: return take_pid(value);
      default: break;  // -D: ltrace's own messages, of which there are none
    }
    return {};
  }

  Result<void> take_pid(std::string_view value) {
    Pid pid{static_cast<int32_t>(TRY(number(value, {"-p", 1, INT32_MAX})))};
    if (std::ranges::find(options.attach, pid) == options.attach.end()) options.attach.push_back(pid);
    return {};
  }
};

Result<void> check(const LtraceOptions& options, int times) {
  if (times > 0 && options.style.relative_time) return fail_because("-r and -t cannot be used together");
  if (options.count && options.tree) return fail_because("-c and --tree cannot be used together");
  if (!options.own.format->is_text() && options.tree)
    return fail_because("--tree and --format=" + std::string(options.own.format->name) + " cannot be used together");
  if (options.count) TRY_VOID(check_counts(*options.own.format));
  bool nobody = options.command.empty() && options.attach.empty() && !options.own.all;
  if (nobody) return fail({0, {}, {}, "must have a command or -p PID", "Try -h"});
  return {};
}

}  // namespace

OptionTables ltrace_options() {
  return {kShorts, kLongs, [](int id) { return !chooses_among_all(id); }};
}

Result<LtraceOptions> parse_ltrace_options(std::span<const std::string> words) {
  Taking taking;
  OptionScanner scanner(kShorts, kLongs, words);
  while (auto option = TRY(scanner.next())) TRY_VOID(taking.take(*option));
  LtraceOptions options = std::move(taking.options);
  options.command.assign(scanner.rest().begin(), scanner.rest().end());
  if (options.action != LtraceAction::Trace) return options;
  TRY_VOID(check(options, taking.times));
  LtraceStyle& style = options.style;
  if (taking.times > 0) style.absolute_time = taking.times > 2 ? AbsoluteTime::UnixTime : AbsoluteTime::TimeOfDay;
  style.microseconds = taking.times > 1;
  style.pids = options.follow || options.attach.size() > 1 || options.own.all;
  style.bracketed_pid = !options.output.has_value();
  CallFilters& filters = options.filters;
  // ltrace shows the caller as soon as calls are filtered.
  if (!filters.calls.empty() || !filters.libraries.empty()) filters.calls_label = FunctionLabel::Caller;
  filters.leaves_out_startup = filters.calls.empty();
  if (filters.calls.empty() && filters.libraries.empty() && options.default_filter)
    filters.calls.push_back({"@MAIN", SymbolFilter::main_program()});
  return options;
}

}  // namespace strut
