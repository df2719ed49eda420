#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "cli/common/command_lookup.hpp"
#include "cli/common/output_signals.hpp"
#include "cli/common/run_facts.hpp"
#include "cli/common/run_request.hpp"
#include "cli/personality.hpp"
#include "cli/strace/help.hpp"
#include "cli/strace/options.hpp"
#include "cli/strace/output.hpp"
#include "cli/strace/paths.hpp"
#include "cli/trace/options.hpp"
#include "formatters/common/tee.hpp"
#include "formatters/strace/strace_text.hpp"
#include "formatters/strace/summary.hpp"
#include "process/caller.hpp"

namespace strut {
namespace {

constexpr int kFailure = 1;

Result<Launch> prepare_launch(const StraceOptions& options, std::optional<Launch::User> user) {
  Launch launch;
  launch.path = TRY(find_executable(options.command[0]));
  launch.argv = options.command;
  if (options.argv0) launch.argv[0] = *options.argv0;
  if (!options.environment.empty()) launch.environment = changed_environment(options.environment);
  launch.user = std::move(user);
  return launch;
}

void choose_colours(StraceOptions& options, const StraceOutput& output) {
  bool coloured =
      options.colour == ColourWhen::Always || (options.colour == ColourWhen::Auto && output.shows_colours());
  if (!coloured) return;
  options.style.colour = Colour::Always;
  const char* colours = trusted_variable("STRACE_COLORS");
  options.style.palette = parse_palette(colours ? colours : "");
}

std::unique_ptr<Sink> make_lines(const StraceOptions& options, const StraceOutput& output, const RunFacts& facts) {
  bool only_counts = options.summary == SummaryMode::Only;
  const OutputFormat& format = *options.own.format;
  if (!format.is_text()) return format.make({output.log(), facts, only_counts});
  StraceStyle style = options.style;
  style.summary_only = only_counts;
  return make_strace_text(std::move(style), output.log(), output.messages());
}

std::unique_ptr<Sink> make_sink(const StraceOptions& options, const StraceOutput& output, const RunFacts& facts) {
  std::unique_ptr<Sink> lines = make_lines(options, output, facts);
  if (options.summary == SummaryMode::No) return lines;
  return make_tee(std::move(lines), make_summary(options.summary_style, output.log(), options.own.format->summary));
}

/// Everything that must be looked up on this machine before tracing starts, in the order in which strace complains.
Result<StraceOutput> prepare(StraceOptions& options, Messages& messages) {
  options.style.program = messages.program();
  if (options.style.quiet_attach) messages.keep_quiet();
  options.request.paths = resolve_paths(options.trace_paths, options.says_path_resolution ? &messages : nullptr);
  if (options.request.resolves_paths) add_whole_names(options.trace_paths, options.request.paths);
  std::optional<Launch::User> user;
  if (options.user) user = TRY(find_user(*options.user));
  StraceOutput output = TRY(StraceOutput::open(options));
  choose_colours(options, output);
  if (options.own.all) options.request.system_wide = TRY(asked_for(options.own));
  if (!options.command.empty()) options.request.launch = TRY(prepare_launch(options, std::move(user)));
  return output;
}

/// -d: prints strut's reading of its options.
void say_request(const TraceRequest& request, Messages& messages) {
  if (request.launch) messages.say("debug: executable " + request.launch->path);
  for (Pid pid : request.attach) messages.say("debug: attach to " + std::to_string(raw(pid)));
  for (const std::string& path : request.paths) messages.say("debug: trace path " + path);
  messages.say(std::string("debug: children are ") + (request.follow ? "followed" : "not followed") +
               (request.seccomp_filter ? ", seccomp filter" : ""));
}

/// Where SELinux is off there is no context to show, and strace shows none either.
void say_missing_contexts(const StraceOptions& options, Messages& messages) {
  if (!options.style.secontext || access("/sys/fs/selinux/enforce", F_OK) != 0) return;
  messages.say("SELinux is on, and this build of strut does not show its contexts; --secontext is ignored");
}

int trace(StraceOptions& options, const RunFacts& facts, Messages& messages) {
  say_missing_contexts(options, messages);
  Result<StraceOutput> output = prepare(options, messages);
  if (!output) return messages.say(output.error()), kFailure;
  if (options.debug) say_request(options.request, messages);
  std::unique_ptr<Sink> sink = make_sink(options, *output, facts);
  Ending ending = run_request(options.own, options.request, *sink, messages);
  sink.reset();
  output->close();
  show_tip(options);
  return end(ending);
}

/// No output is opened.
void explain_only(StraceOptions& options) {
  options.own.explains = true;
  options.output.reset();
  options.separate_output = false;
}

/// The command line of a tool that traces system calls.
struct Grammar {
  Result<StraceOptions> (*parse)(std::span<const std::string> words, std::vector<std::string>& warnings);
  std::string (*help)();
};

int run(const Grammar& grammar, const Called& called, std::span<const std::string> words) {
  Messages messages(called.program, called.tool);
  std::vector<std::string> warnings;
  Result<StraceOptions> options = grammar.parse(words, warnings);
  if (options && options->action == StraceAction::Trace) survive_unwritable_output();
  if (options && called.explains) explain_only(*options);
  for (const std::string& warning : warnings) messages.say(warning);
  if (!options) return messages.say(options.error()), kFailure;
  switch (options->action) {
    case StraceAction::ShowHelp: return std::fputs(grammar.help().c_str(), stdout) < 0 ? kFailure : 0;
    case StraceAction::ShowVersion: return std::printf("strut %s\n", kVersion) < 0 ? kFailure : 0;
    case StraceAction::ShowTips: return show_tip(*options), 0;
    case StraceAction::Trace: return trace(*options, facts_of(called, words), messages);
  }
  return kFailure;
}

}  // namespace

int run_strace(const Called& called, std::span<const std::string> words) {
  return run({parse_strace_options, strace_help}, called, words);
}

int run_trace(const Called& called, std::span<const std::string> words) {
  return run({parse_trace_options, trace_help}, called, words);
}

}  // namespace strut
