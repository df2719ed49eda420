// `strut ltrace`: calls of library functions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/common/call_complaints.hpp"
#include "cli/common/command_lookup.hpp"
#include "cli/common/output_signals.hpp"
#include "cli/common/run_facts.hpp"
#include "cli/common/run_request.hpp"
#include "cli/ltrace/configuration.hpp"
#include "cli/ltrace/options.hpp"
#include "cli/personality.hpp"
#include "formatters/common/call_tree.hpp"
#include "formatters/common/tee.hpp"
#include "formatters/ltrace/summary.hpp"
#include "formatters/ltrace/text.hpp"
#include "libcalls/pairing/call_assembler.hpp"
#include "process/caller.hpp"
#include "procfs/process_status.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

Result<std::shared_ptr<Output>> open_output(const LtraceOptions& options) {
  if (!options.output) return std::shared_ptr<Output>(make_fd_output(STDERR_FILENO, Ownership::Borrowed, "stderr"));
  constexpr mode_t kMode = 0666;
  int fd = ::open(options.output->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (fd < 0) return fail({errno, "open", *options.output, {}, {}});
  return std::shared_ptr<Output>(make_fd_output(fd, Ownership::Owned, *options.output));
}

/// Results stand at five eighths of the screen.
uint32_t result_column() {
  constexpr uint32_t kUsual = 80;
  winsize size{};
  bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return (known ? size.ws_col : kUsual) * 5 / 8;
}

Result<TraceRequest> request_of(const LtraceOptions& options) {
  TraceRequest request;
  std::optional<Launch::User> user;
  if (options.user) user = TRY(find_user(*options.user));
  if (!options.command.empty()) {
    Launch& launch = request.launch.emplace();
    launch.path = TRY(find_program(options.command[0]));
    launch.argv = options.command;
    launch.user = std::move(user);
  }
  if (options.own.all)
    return fail({0, "--all", {}, "functions are traced in processes that are named", "Give a command, or -p PID"});
  request.attach = options.attach;
  request.follow = options.follow;
  request.attach_threads = true;
  if (!options.system_calls) request.calls = SyscallSet{};
  if (!options.style.signals) request.signals = {};
  request.decode.max_string_bytes = options.style.max_string_bytes;
  request.decode.max_items = options.max_elements;
  request.need_ip = options.style.ip;
  if (options.stack_frames != 0) request.stack_frames = options.stack_frames + 1;  // the first is the function's own
  request.function_errors = options.count_errors;
  request_details(*options.own.format, request);
  // An attached process does not get typed input.
  request.interruptible = options.attach.empty() ? Interruptible::CommandsKeys : Interruptible::WhileWaiting;
  return request;
}

bool has_threads(Pid pid) {
  auto threads = threads_of(pid);
  return threads && threads->size() > 1;
}

std::unique_ptr<Sink> make_format(const LtraceOptions& options, const std::shared_ptr<Output>& output,
                                  const RunFacts& facts) {
  const OutputFormat& format = *options.own.format;
  std::unique_ptr<Sink> lines = format.is_text() ? nullptr : format.make({output, facts, options.count});
  if (options.count) {
    auto text = lines ? put_ltrace_counts_json : put_ltrace_counts_table;
    auto counts = make_ltrace_summary({options.count_errors}, output, text);
    return lines ? make_tee(std::move(lines), std::move(counts)) : std::move(counts);
  }
  if (lines) return lines;
  if (options.tree) return make_call_tree(options.style, output);
  return make_ltrace_text(options.style, output);
}

void say_unmatched(const std::vector<std::string>& lines, const CallFindings& findings, Messages& messages) {
  for (const std::string& line : lines) {
    bool is_default = line.starts_with("-e '@MAIN'");
    // Calls that another option leaves out are there.
    if (is_default && (lines.size() > 1 || !findings.programs_import_nothing)) continue;
    messages.say(is_default ? "the program imports no functions: it is static, or no ELF file for x86-64; -x NAME "
                              "traces its own if it has symbols, -S system calls"
                            : line);
  }
}

int trace(LtraceOptions& options, const RunFacts& facts, Messages& messages) {
  survive_unwritable_output();
  PrototypeSearch prototypes;
  if (!Configuration(prototypes, messages).read(options.config_paths)) return kFailure;
  if (!options.has_column) options.style.result_column = result_column();
  bool is_attached_to_file = options.output && !options.attach.empty();  // ltrace has pids there even of one process
  if (is_attached_to_file || std::ranges::any_of(options.attach, has_threads)) options.style.pids = true;
  auto request = request_of(options);
  if (!request) return messages.say(request.error()), kFailure;
  auto output = open_output(options);
  if (!output) return messages.say(output.error()), kFailure;
  FilteredChoice choice(std::move(options.filters));
  CallPoints points(
      choice, prototypes,
      {options.demangle, options.follow, options.stack_frames == 0 && !(options.follow && !options.attach.empty())});
  request->functions = &points;
  std::unique_ptr<Sink> format = make_format(options, *output, facts);
  CallAssembler assembler(points, {options.max_depth, options.first_calls}, *format);
  Ending ending = run_request(options.own, *request, assembler, messages);
  if (options.own.explains) return ending.status;
  CallFindings findings = points.findings();
  std::vector<std::string> unmatched = surely_unmatched(findings, choice.unmatched());
  say_unmatched(unmatched, findings, messages);
  say_complaints(findings, unmatched, messages);
  return end(ending);
}

}  // namespace

int run_ltrace(const Called& called, std::span<const std::string> words) {
  Messages messages("ltrace", called.tool);
  auto options = parse_ltrace_options(words);
  if (!options) return messages.say(options.error()), kFailure;
  options->own.explains = called.explains;
  if (called.explains) options->output.reset();
  switch (options->action) {
    case LtraceAction::ShowHelp: return std::fputs(kLtraceUsage, stdout) < 0 ? kFailure : 0;
    case LtraceAction::ShowVersion: return std::printf("ltrace: strut %s\n", kVersion) < 0 ? kFailure : 0;
    case LtraceAction::Trace: return trace(*options, facts_of(called, words), messages);
  }
  return kFailure;
}

}  // namespace strut
