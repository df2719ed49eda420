#include "cli/strace/options.hpp"

#include "cli/common/message.hpp"
#include "cli/strace/parsing.hpp"

namespace strut {
namespace {

Result<void> parse(StraceParsing& parsing, std::span<const std::string> words) {
  OptionScanner scanner(strace_short_options(), strace_long_options(), words);
  for (;;) {
    auto scanned = scanner.next();
    if (!scanned) return refuse(scanned.error().why, Hint::TryHelp);
    if (!*scanned) break;
    if ((*scanned)->id == 'h') return parsing.options.action = StraceAction::ShowHelp, Result<void>{};
    TRY_VOID(take_strace_option(parsing, **scanned));
  }
  parsing.options.command.assign(scanner.rest().begin(), scanner.rest().end());
  return end_strace_options(parsing);
}

}  // namespace

Result<void> end_strace_options(StraceParsing& parsing) {
  StraceOptions& options = parsing.options;
  if (parsing.version) return options.action = StraceAction::ShowVersion, Result<void>{};
  bool nothing_to_trace = options.command.empty() && options.request.attach.empty();
  if (nothing_to_trace && options.tips != Tips::No) return options.action = StraceAction::ShowTips, Result<void>{};
  return complete_strace_options(parsing);
}

std::unexpected<Error> refuse(std::string text, Hint hint) {
  Error error;
  error.why = std::move(text);
  if (hint == Hint::TryHelp) error.advice = kTryHelp;
  return fail(std::move(error));
}

Result<StraceOptions> parse_strace_options(std::span<const std::string> words, std::vector<std::string>& warnings) {
  StraceParsing parsing;
  Result<void> parsed = parse(parsing, words);
  warnings = std::move(parsing.warnings);
  if (!parsed) return fail(std::move(parsed.error()));
  return std::move(parsing.options);
}

}  // namespace strut
