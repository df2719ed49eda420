#include "cli/truss/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include <unistd.h>

#include "cli/common/numbers.hpp"
#include "cli/common/option_scanner.hpp"
#include "cli/truss/lists.hpp"

namespace strut {

const char* const kTrussUsage =
    "usage:\ttruss [-fcaeildDEF] [-[tTvx] [!]syscalls] [-[sS] [!]signals] [-[mM] [!]faults] [-[rw] [!]fds]\n"
    "\t[-[uU] [!]libs:[:][!]funcs] [-o outfile] command | -p pid[/lwps] ...\n";

const char* const kTrussHelp = R"(
  -p                 the words behind the options are processes: 123, /proc/123, 123/LWPS (thread ids: 124,130-140)
  -f                 follow children                -F  also processes that another tracer has (what kassist can)
  -c                 count, and report at the end   -o FILE  write there
  -t -T LIST         system calls to trace, to stop at (names, numbers, all; ! before what is left out)
  -s -S LIST         signals                        -m -M LIST  machine faults
  -u -U LIBS:FUNCS   functions: `:` calls from outside, `::` internal ones too; a.out is the program
  -v -x LIST         calls whose structures are shown below, whose arguments are shown as numbers
  -r -w LIST         descriptors whose data is shown whole: read from, written to
  -a -e              arguments and environment of each new program
  -i                 no word of sleeping calls      -l  thread ids
  -d -D -E           times: since the start, since the thread's last line, CPU time in the system
      --decode       functions' arguments in words
      --backend=ptrace|kassist|auto, --format=text|json|chrome, --stats FILE, --no-brake, --ring-size N
      --help, -h, --version
)";

namespace {

constexpr int kHelp = 256, kVersion = 257, kDecode = 258;

constexpr ShortOption kShorts[] = {
    {'p', Takes::Nothing, 'p'},        {'F', Takes::Nothing, 'F'},        {'f', Takes::Nothing, 'f'},
    {'c', Takes::Nothing, 'c'},        {'a', Takes::Nothing, 'a'},        {'e', Takes::Nothing, 'e'},
    {'i', Takes::Nothing, 'i'},        {'l', Takes::Nothing, 'l'},        {'h', Takes::Nothing, kHelp},
    {'d', Takes::Nothing, 'd'},        {'D', Takes::Nothing, 'D'},        {'E', Takes::Nothing, 'E'},
    {'t', Takes::Value, 't', "CALLS"}, {'T', Takes::Value, 'T', "CALLS"}, {'v', Takes::Value, 'v', "CALLS"},
    {'x', Takes::Value, 'x', "CALLS"}, {'s', Takes::Value, 's'},          {'S', Takes::Value, 'S'},
    {'m', Takes::Value, 'm'},          {'M', Takes::Value, 'M'},          {'u', Takes::Value, 'u'},
    {'U', Takes::Value, 'U'},          {'r', Takes::Value, 'r'},          {'w', Takes::Value, 'w'},
    {'o', Takes::Value, 'o', "FILE"},
};
constexpr LongOption kToolLongs[] = {
    {"help", Takes::Nothing, kHelp, LongOption::Spelling::Full},
    {"version", Takes::Nothing, kVersion, LongOption::Spelling::Full},
    {"decode", Takes::Nothing, kDecode, LongOption::Spelling::Full},
};
constexpr auto kLongs = joined(kToolLongs, kOwnOptions);

constexpr uint64_t kAsleepAfter_ns = 1'000'000'000;
/// Bytes shown of a buffer beside the call; more with -a and -e.
constexpr size_t kBriefBytes = 32, kArgumentBytes = 4096;

/// The state of all list options.
struct Lists {
  ListOption<SyscallSet> traced{SyscallSet::all()}, stopping, verbose, raw;
  ListOption<SignalNumbers> signals{~SignalNumbers{}}, stopping_signals;
  ListOption<FaultNumbers> faults{~FaultNumbers{}}, stopping_faults;
  ListOption<FdChoice> reads, writes;
};

std::optional<int32_t> id_in(std::string_view text) {
  int32_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  bool good = error == std::errc{} && end == text.data() + text.size() && id > 0;
  return good ? std::optional(id) : std::nullopt;
}

/// "1,2,7-9", "7-": ids of threads.
std::optional<std::vector<LwpRange>> lwps_in(std::string_view list) {
  std::vector<LwpRange> ranges;
  for (auto piece = next_piece(list, ","); !piece.empty(); piece = next_piece(list, ",")) {
    size_t dash = piece.find('-');
    auto first = id_in(piece.substr(0, dash));
    bool open = dash != std::string_view::npos && dash + 1 == piece.size();
    auto last = open ? INT32_MAX : dash == std::string_view::npos ? first : id_in(piece.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    ranges.push_back({*first, *last});
  }
  if (ranges.empty()) return std::nullopt;
  return ranges;
}

class Parsing {
 public:
  Result<void> take(const ScannedOption& option) {
    if (option.id >= kOwnBackend) return take_own_option(options.own, option);
    if (option.value) return take_list(option.id, *option.value);
    TrussStyle& style = options.style;
    switch (option.id) {
      case 'p': grabs_ = true; break;
      case 'F': options.force = true; break;
      case 'f': options.request.follow = true; break;
      case 'c': options.count = true; break;
      case 'a': style.arguments = true; break;
      case 'e': style.environment = true; break;
      case 'i': sleepers_ = false; break;
      case 'l': style.lwps = true; break;
      case 'd': style.base_time = true; break;
      case 'D': style.delta_time = true; break;
      case 'E': style.system_time = true; break;
      case kDecode: style.function_arguments = true; break;
      case kHelp: options.action = TrussAction::ShowHelp; break;
      case kVersion: options.action = TrussAction::ShowVersion; break;
    }
    return {};
  }

  Result<void> complete(std::span<const std::string> words) {
    if (options.action != TrussAction::Trace) return {};
    if (options.count) TRY_VOID(check_counts(*options.own.format));
    TRY_VOID(grabs_ ? take_processes(words) : take_command(words));
    complete_request();
    return {};
  }

  TrussOptions options;

 private:
  Result<void> take_list(int id, std::string_view list) {
    char letter = static_cast<char>(id);
    switch (id) {
      case 't': return take_calls(lists_.traced, list, letter);
      case 'T': return take_calls(lists_.stopping, list, letter);
      case 'v': return take_calls(lists_.verbose, list, letter);
      case 'x': return take_calls(lists_.raw, list, letter);
      case 's': return take_signals(lists_.signals, list, letter);
      case 'S': return take_signals(lists_.stopping_signals, list, letter);
      case 'm': return take_faults(lists_.faults, list, letter);
      case 'M': return take_faults(lists_.stopping_faults, list, letter);
      case 'r': return take_descriptors(lists_.reads, list, letter);
      case 'w': return take_descriptors(lists_.writes, list, letter);
      case 'o': options.output = list; return {};
    }
    std::vector<FunctionChoice> choices = TRY(parse_function_choices(list, letter));
    std::ranges::move(choices, std::back_inserter(options.functions));
    return {};
  }

  Result<void> take_command(std::span<const std::string> words) {
    options.command.assign(words.begin(), words.end());
    if (options.command.empty() && !options.own.all) return fail_because({});
    return {};
  }

  Result<void> take_processes(std::span<const std::string> words) {
    if (words.empty()) return fail_because("-p needs the ids of processes");
    for (const std::string& word : words) TRY_VOID(take_process(word));
    return {};
  }

  /// "123", "/proc/123", "123/1,2,7-9".
  Result<void> take_process(std::string_view word) {
    std::string_view id = word;
    if (id.starts_with("/proc/")) id.remove_prefix(6);
    size_t slash = id.find('/');
    auto number = id_in(id.substr(0, slash));
    if (!number)
      return fail_because("'" + std::string(word) + "' is no process: it is a number, /proc/NUMBER or NUMBER/LWPS");
    Pid pid{*number};
    if (*number == ::getpid()) return fail_because("process " + std::to_string(*number) + " is this truss itself");
    std::optional<std::vector<LwpRange>> lwps;
    if (slash != std::string_view::npos) {
      lwps = lwps_in(id.substr(slash + 1));
      if (!lwps) return fail_because("'" + std::string(word) + "': behind the / stand ids of threads: 124,130-140");
    }
    if (std::ranges::find(options.request.attach, pid) != options.request.attach.end()) {
      take_again(pid, std::move(lwps));
      return {};
    }
    options.request.attach.push_back(pid);
    if (lwps) options.style.only[pid] = std::move(*lwps);
    return {};
  }

  /// A process that is named again must add threads; otherwise it is an error.
  void take_again(Pid pid, std::optional<std::vector<LwpRange>> lwps) {
    auto only = options.style.only.find(pid);
    if (only != options.style.only.end() && lwps) std::ranges::move(*lwps, std::back_inserter(only->second));
    else options.warnings.push_back("warning: duplicate process-id ignored: " + std::to_string(raw(pid)));
  }

  void complete_request() {
    TraceRequest& request = options.request;
    TrussStyle& style = options.style;
    StopOn& stops = request.stop_on;
    stops = {lists_.stopping.set, lists_.stopping_signals.set, lists_.stopping_faults.set};
    style.calls = lists_.traced.set;
    style.calls |= stops.calls;
    if (style.arguments || style.environment) style.calls |= calls_named("execve");
    style.verbose = lists_.verbose.set;
    style.raw = lists_.raw.set;
    style.signals = lists_.signals.set | stops.signals;
    style.faults = lists_.faults.set | stops.faults;
    request.follow |= options.own.all;
    style.processes = request.follow || request.attach.size() > 1;
    complete_decoding();
    if (!options.count) request_details(*options.own.format, request);
    request.calls = style.calls;
    request.signals = ~SignalNumbers{};  // a signal that is not shown still explains an interrupted call
    request.follow_threads = true;
    request.need_ip = style.faults.any();
    request.measure_system_time = style.system_time || options.count;
    request.signal_dispositions = !options.count;
    request.sleeping_after_ns = sleepers_ && !options.count ? kAsleepAfter_ns : 0;
    request.spares_command = true;
  }

  void complete_decoding() {
    DecodeOptions& decode = options.request.decode;
    const TrussStyle& style = options.style;
    decode.dereference = style.verbose;
    // The number of a program's arguments, and vfork(2)'s wait for its child.
    decode.dereference |= calls_named("execve");
    decode.dereference |= calls_named("clone3");
    decode.abbreviate = ~decode.dereference;
    // Functions in words are those of ltrace, whatever is said of calls.
    if (style.function_arguments) decode.dereference.insert_unknown(), decode.abbreviate.insert_unknown();
    decode.dump_reads = lists_.reads.set;
    decode.dump_writes = lists_.writes.set;
    decode.max_string_bytes =
        style.arguments || style.environment || !style.verbose.empty() ? kArgumentBytes : kBriefBytes;
    options.request.decode_arguments = !options.count;
  }

  Lists lists_;
  bool grabs_ = false;
  bool sleepers_ = true;
};

}  // namespace

OptionTables truss_options() { return {kShorts, kLongs}; }

Result<TrussOptions> parse_truss_options(std::span<const std::string> words) {
  OptionScanner scanner(kShorts, kLongs, words);
  Parsing parsing;
  for (;;) {
    auto option = TRY(scanner.next());
    if (!option) break;
    TRY_VOID(parsing.take(*option));
  }
  TRY_VOID(parsing.complete(scanner.rest()));
  return std::move(parsing.options);
}

}  // namespace strut
