// Parses command lines with words from the fuzzer, separated by NULs, and queries the resulting choices.
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "cli/common/message.hpp"
#include "cli/ltrace/options.hpp"
#include "cli/strace/options.hpp"
#include "cli/trace/options.hpp"
#include "cli/truss/choice.hpp"
#include "cli/truss/options.hpp"
#include "libcalls/arming/filtered_choice.hpp"

using namespace strut;

namespace {

/// Likely beginnings of words: a byte from 128 up stands for one of these.
constexpr std::string_view kStarts[] = {
    "-e",
    "-e",
    "-einject=chdir:",
    "-einject=chdir:error=EIO:when=",
    "-einject=chdir:poke_enter=@arg1=",
    "-efault=",
    "-etrace=",
    "-esignal=",
    "-estatus=",
    "-eread=",
    "-efd=",
    "-equiet=",
    "-edecode-fds=",
    "-edecode-pids=",
    "-ekvm=",
    "-o",
    "-O",
    "-s",
    "-a",
    "-p",
    "-u",
    "-U",
    "-S",
    "-X",
    "-I",
    "-b",
    "-E",
    "-P",
    "-",
    "--",
    "--timestamps=",
    "--relative-timestamps=",
    "--syscall-times=",
    "--strings-in-hex=",
    "--tips=",
    "--daemonize=",
    "--color=",
    "--syscall-limit=",
    "--backend=",
    "--stats=",
    "--format=",
    "--s",
    "--trace",
    "--argv0=",
    "--namespace=",
    "-einject=chdir:delay_enter=",
    "-einject=chdir:retval=",
    "-einject=chdir:signal=",
    "-c",
    "-f",
    "true",
    "-t",
    "-T!",
    "-v",
    "-x",
    "-m",
    "-r",
    "-w",
    "-ulibc:",
    "-ua.out,lib*::!str*,",
    "/proc/1/",
    "-U!lib*:!",
    "-xmalloc+",
    "-e/m.*/@",
    "-l/lib/*",
    "--caller=@",
    "--callee=/[a-",
};

std::string word_of(std::string_view bytes) {
  unsigned first = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  if (first < 0x80) return std::string(bytes);
  return std::string(kStarts[first % std::size(kStarts)]) + std::string(bytes.substr(1));
}

void require(bool holds) {
  if (!holds) abort();
}

using Parse = Result<StraceOptions> (*)(std::span<const std::string> words, std::vector<std::string>& warnings);

void parse(Parse by, const std::vector<std::string>& words) {
  std::vector<std::string> warnings;
  Result<StraceOptions> options = by(words, warnings);
  for (const std::string& warning : warnings) require(!warning.empty());
  if (!options) {
    require(!options.error().why.empty());
    return;
  }
  if (options->action != StraceAction::Trace) return;
  require(!options->command.empty() || !options->request.attach.empty());
  for (const Injection& injection : options->request.injections) {
    require(injection.when.first >= 1 && injection.when.step >= 1 && injection.when.last >= injection.when.first);
    require(!(injection.error && injection.retval));
  }
}

/// Queries as CallPoints does; messages about choices without a match are whole lines.
template <typename Choice>
void ask(const Choice& choice) {
  constexpr FilteredModule kMain{"prog", "/tmp/prog", true}, kLibrary{"libc.so.6", "/lib/libc.so.6", false};
  for (const FilteredModule& callee : {kMain, kLibrary}) {
    static_cast<void>(choice.calls_from(callee));
    bool looks = choice.looks_into(callee);
    for (const char* name : {"malloc", "str", ""}) {
      require(looks || !choice.defined(name, callee));
      for (CallWay way : {CallWay::Import, CallWay::Pointer, CallWay::Direct})
        for (const FilteredModule* caller : {&kMain, &kLibrary, static_cast<const FilteredModule*>(nullptr)})
          require(choice.label(name, callee, caller, way) == choice.label(name, callee, caller, way));
    }
  }
  for (const std::string& line : choice.unmatched()) require(line.find(" function") != std::string::npos);
}

void parse_ltrace(const std::vector<std::string>& words) {
  Result<LtraceOptions> options = parse_ltrace_options(words);
  if (!options) return require(!options.error().why.empty());
  if (options->action == LtraceAction::Trace) ask(FilteredChoice(options->filters));
}

void parse_truss(const std::vector<std::string>& words) {
  Result<TrussOptions> options = parse_truss_options(words);
  if (!options || options->action != TrussAction::Trace) return;
  require(!options->command.empty() || !options->request.attach.empty() || options->own.all);
  for (const auto& [pid, lwps] : options->style.only)
    for (LwpRange range : lwps) require(range.first > 0 && range.first <= range.last);
  for (const char* name : {"libc", "a.out", ""}) wish_for(options->functions, {name}, "malloc");
  ask(TrussChoice(options->functions));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(bytes), size);
  std::vector<std::string> words;
  while (!rest.empty() && words.size() < 64) {
    std::string_view bytes = rest.substr(0, rest.find('\0'));
    words.push_back(word_of(bytes));
    rest.remove_prefix(std::min(bytes.size() + 1, rest.size()));
  }
  parse(parse_strace_options, words);
  parse(parse_trace_options, words);
  parse_truss(words);
  parse_ltrace(words);
  for (const std::string& word : words)
    for (char c : printable(word)) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  return 0;
}
