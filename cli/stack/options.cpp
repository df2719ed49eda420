#include "cli/stack/options.hpp"

#include "base/plain_text.hpp"

namespace strut {

namespace {

enum Id : int { kAttach, kLines, kLimit, kJson };

constexpr CommandOption kOptions[] = {
    heading("Options"),
    {"-p,--attach", Takes::Value, kAttach, "PID", "the process"},
    {"--lines", Takes::Nothing, kLines, "", "with source lines, where there is debug information"},
    {"--stack-frame-limit", Takes::Value, kLimit, "N", "at most N frames of each thread (256)"},
    {"--json", Takes::Nothing, kJson, "", "one JSON object a thread (docs/json.md)"},
    {"--backend", Takes::Value, kOwnBackend, "auto|ptrace|kassist", "ptrace stops threads, kassist stops none"},
};

Result<uint32_t> number_of(const TypedOption& option, const char* what) {
  auto number = parse_decimal(option.value.value_or(""));
  if (!number || *number == 0) return fail_because(std::string("Invalid ") + what + ": '" + *option.value + "'");
  return *number;
}

Result<void> take(StackOptions& options, const TypedOption& option) {
  switch (option.id) {
    case kLines: options.detail = FrameDetail::Lines; return {};
    case kJson: options.format = StackFormat::Json; return {};
    case kOwnBackend: return take_own_option(options.own, {option.id, option.value});
    case kLimit: options.frames = TRY(number_of(option, "number of frames")); return {};
    default: options.pid = Pid{static_cast<int32_t>(TRY(number_of(option, "process id")))}; return {};
  }
}

}  // namespace

const CommandText kStackCommand = {"usage: strut stack [OPTIONS] -p PID",
                                   "Prints the user stack of every thread of a process, the system call that each "
                                   "thread is in, and what it waits for. "
                                   "Threads that wait for each other are named as a deadlock. The process runs on.",
                                   Operands::None, kOptions};

Result<StackOptions> parse_stack_options(std::span<const std::string> words) {
  CommandWords typed = TRY(parse_command(kStackCommand, words));
  StackOptions options;
  options.help = typed.help;
  if (options.help) return options;
  for (const TypedOption& option : typed.options) TRY_VOID(take(options, option));
  if (options.pid == Pid{}) return fail_because("which process? -p PID is needed; `strut stack --help` shows how");
  return options;
}

}  // namespace strut
