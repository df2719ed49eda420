#include "syscalls/signal_names.hpp"

#include <iterator>

#include "base/plain_text.hpp"

namespace strut {
namespace {

constexpr const char* kNames[] = {
    nullptr,    "SIGHUP",   "SIGINT",   "SIGQUIT",  "SIGILL",   "SIGTRAP",  "SIGABRT",  "SIGBUS",    "SIGFPE",
    "SIGKILL",  "SIGUSR1",  "SIGSEGV",  "SIGUSR2",  "SIGPIPE",  "SIGALRM",  "SIGTERM",  "SIGSTKFLT", "SIGCHLD",
    "SIGCONT",  "SIGSTOP",  "SIGTSTP",  "SIGTTIN",  "SIGTTOU",  "SIGURG",   "SIGXCPU",  "SIGXFSZ",   "SIGVTALRM",
    "SIGPROF",  "SIGWINCH", "SIGIO",    "SIGPWR",   "SIGSYS",   "SIGRTMIN", "SIGRT_1",  "SIGRT_2",   "SIGRT_3",
    "SIGRT_4",  "SIGRT_5",  "SIGRT_6",  "SIGRT_7",  "SIGRT_8",  "SIGRT_9",  "SIGRT_10", "SIGRT_11",  "SIGRT_12",
    "SIGRT_13", "SIGRT_14", "SIGRT_15", "SIGRT_16", "SIGRT_17", "SIGRT_18", "SIGRT_19", "SIGRT_20",  "SIGRT_21",
    "SIGRT_22", "SIGRT_23", "SIGRT_24", "SIGRT_25", "SIGRT_26", "SIGRT_27", "SIGRT_28", "SIGRT_29",  "SIGRT_30",
    "SIGRT_31", "SIGRT_32",
};
static_assert(std::size(kNames) == 65);

constexpr size_t kSigBytes = 3;  // "SIG"

/// Numbers the option takes, though no signal has them.
constexpr uint32_t kLargest = 255;

std::unexpected<Error> invalid(std::string_view text) {
  return fail({.why = "invalid signal '" + std::string(text) + "'"});
}

}  // namespace

const char* signal_name(int number) {
  return number > 0 && number < static_cast<int>(std::size(kNames)) ? kNames[number] : nullptr;
}

std::optional<int> signal_number(std::string_view text) {
  if (std::optional<uint32_t> number = parse_decimal(text)) {
    if (*number > kLargest) return std::nullopt;
    return static_cast<int>(*number);
  }
  for (size_t i = 1; i < std::size(kNames); i++)
    if (same_ignoring_case(text, kNames[i]) || same_ignoring_case(text, kNames[i] + kSigBytes))
      return static_cast<int>(i);
  return std::nullopt;
}

Result<SignalNumbers> parse_signal_set(std::string_view text) {
  std::string_view rest = text;
  bool inverted = false;
  for (; rest.starts_with('!'); rest.remove_prefix(1)) inverted = !inverted;

  SignalNumbers set;
  if (rest == "all") {
    set.set();
  } else if (rest != "none") {
    CommaList items(rest);
    size_t count = 0;
    while (std::optional<std::string_view> item = items.next()) {
      count++;
      std::optional<int> number = signal_number(*item);
      if (!number) return invalid(*item);
      if (static_cast<size_t>(*number) < set.size()) set.set(static_cast<size_t>(*number));
    }
    if (count == 0) return invalid(text);
  }
  return inverted ? ~set : set;
}

}  // namespace strut
