#include "cli/common/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "base/close_names.hpp"
#include "base/plain_text.hpp"
#include "cli/common/wrapped_text.hpp"

namespace strut {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kTextColumn = 24;

/// CLI11's help, but wrapped; a heading, an option and a subcommand look as in the tools' own helps.
class WrappedHelp final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override {
    return make_subcommands(app, mode) + make_groups(app, mode) + make_footer(app);
  }
  std::string make_group(std::string group, bool, std::vector<const CLI::Option*> options) const override {
    std::string text = group + '\n';
    for (const CLI::Option* option : options) text += make_option(option, false);
    return text;
  }
  std::string make_option(const CLI::Option* option, bool) const override {
    return hung("  " + spelling(*option), option->get_description(), kTextColumn, kColumns);
  }
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override {
    std::string text;
    for (const CLI::App* command : app->get_subcommands({})) text += make_subcommand(command);
    return text.empty() ? "" : "Commands\n" + text + '\n';
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return hung("  " + command->get_name(), command->get_description(), kTextColumn / 2, kColumns);
  }
  std::string make_footer(const CLI::App* app) const override {
    return app->get_footer().empty() ? "" : '\n' + wrapped(app->get_footer(), kColumns);
  }

 private:
  /// "-p, --attach PID", "--stack-trace[=source]", "    --format FORMAT".
  static std::string spelling(const CLI::Option& option) {
    std::string text;
    for (const std::string& letter : option.get_snames()) text += (text.empty() ? "-" : ", -") + letter;
    for (const std::string& word : option.get_lnames()) text += (text.empty() ? "--" : ", --") + word;
    return text + option.get_option_text();
  }
};

/// The names that CLI11 gives an option, each with its dashes.
std::vector<std::string> names_of(std::string_view names) {
  std::vector<std::string> all;
  CommaList list(names);
  while (auto name = list.next()) all.emplace_back(*name);
  return all;
}

/// Without its dashes.
std::string long_name(const CommandOption& option) {
  std::string name = names_of(option.names).back();
  return name.substr(name.find_first_not_of('-'));
}

/// How CLI11 writes that an option is a flag: with a value only behind `=`, or with none.
CLI::Option* add_option(CLI::App& app, const CommandOption& option) {
  const std::string text = option.text;
  CLI::Option* added = option.takes == Takes::Value ? app.add_option(option.names, CLI::callback_t(), text)
                                                    : app.add_flag(option.names, text);
  if (option.takes == Takes::Value) added->option_text(std::string(" ") + option.value);
  if (option.takes == Takes::MaybeValue) added->option_text(std::string("[=") + option.value + "]");
  return added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// CLI11's word for a flag that was given without a value.
constexpr std::string_view kBare = "true";

std::unexpected<Error> lacks_value(std::string_view option) {
  return fail_because("'" + std::string(option) + "' lacks its value");
}

/// "; nearest: --format": the options that are close to an unknown one.
std::string nearest_options(const CommandText& command, std::string_view word) {
  std::vector<std::string> names = {"--help"};
  for (const CommandOption& option : command.options)
    if (option.names) std::ranges::move(names_of(option.names), std::back_inserter(names));
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("--"); });
  std::vector<std::string_view> views(names.begin(), names.end());
  return nearest_names(word.substr(0, word.find('=')), views);
}

/// A command as CLI11 knows it. Exceptions of CLI11's end here.
class Grammar {
 public:
  explicit Grammar(const CommandText& command);

  std::string help() const { return app_.help(); }
  Result<CommandWords> parse(std::span<const std::string> words);

 private:
  Result<void> read(std::span<const std::string> words, bool& help);
  Result<void> check_values(std::span<const std::string> words) const;
  Result<std::vector<std::string>> operands() const;
  Result<std::vector<TypedOption>> options() const;

  const CommandText& command_;
  CLI::App app_;
  std::vector<std::string> operands_;
  std::map<const CLI::Option*, const CommandOption*> rows_;
};

Grammar::Grammar(const CommandText& command) : command_(command) {
  app_.formatter(std::make_shared<WrappedHelp>());
  app_.footer(command.footer);
  app_.prefix_command(command.operands == Operands::Command);
  if (command.operands == Operands::Anywhere) app_.add_option("operands", operands_)->group("");
  const char* group = "Options";
  for (const CommandOption& option : command.options) {
    if (!option.names) group = option.text;
    else rows_[add_option(app_, option)->group(group)] = &option;
  }
  app_.set_help_flag("-h,--help", "this text")->group(group);
  for (const Subcommand& sub : command.subcommands) app_.add_subcommand(sub.name, sub.text)->group("Commands");
}

Result<void> Grammar::read(std::span<const std::string> words, bool& help) {
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as App::parse takes them
  try {
    app_.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    help = true;
  } catch (const CLI::ExtrasError&) {             // operands() looks at the remaining words
  } catch (const CLI::ArgumentMismatch& error) {  // "--attach: 1 required …"
    std::string_view what = error.what();
    return lacks_value(what.substr(0, what.find(':')));
  } catch (const CLI::ParseError& error) {
    return fail_because(error.what());
  }
  return {};
}

/// CLI11 takes the next word as the value of `--name=`.
Result<void> Grammar::check_values(std::span<const std::string> words) const {
  size_t consumed = words.size() - app_.remaining_size();
  for (const std::string& word : words.first(consumed)) {
    if (!word.starts_with("--") || !word.ends_with('=')) continue;
    if (app_.get_option_no_throw(word.substr(0, word.size() - 1))) return lacks_value(word);
  }
  return {};
}

/// The words that are neither options nor their values. Error: one that looks like an option.
Result<std::vector<std::string>> Grammar::operands() const {
  std::vector<std::string> rest = app_.remaining();
  bool ended = !rest.empty() && rest.front() == "--";
  if (ended) rest.erase(rest.begin());
  else if (!rest.empty() && rest.front().size() > 1 && rest.front().starts_with('-'))
    return fail_because("unknown option '" + rest.front() + "'" + nearest_options(command_, rest.front()));
  rest.insert(rest.begin(), operands_.begin(), operands_.end());
  if (command_.operands == Operands::None && !rest.empty())
    return fail_because("unexpected argument '" + rest.front() + "'");
  return rest;
}

Result<std::vector<TypedOption>> Grammar::options() const {
  std::vector<TypedOption> typed;
  std::map<const CLI::Option*, size_t> seen;
  for (const CLI::Option* option : app_.parse_order()) {
    auto row = rows_.find(option);
    if (row == rows_.end()) continue;  // operands
    const CommandOption& known = *row->second;
    const std::string& value = option->results()[seen[option]++];
    bool bare = known.takes != Takes::Value && value == kBare;
    if (known.takes == Takes::Nothing && !bare) return fail_because("'--" + long_name(known) + "' takes no value");
    typed.push_back({known.id, long_name(known), bare ? std::nullopt : std::optional(value)});
  }
  return typed;
}

Result<CommandWords> Grammar::parse(std::span<const std::string> words) {
  CommandWords typed;
  TRY_VOID(read(words, typed.help));
  if (typed.help) return typed;
  TRY_VOID(check_values(words));
  typed.operands = TRY(operands());
  typed.options = TRY(options());
  return typed;
}

}  // namespace

Result<CommandWords> parse_command(const CommandText& command, std::span<const std::string> words) {
  return Grammar(command).parse(words);
}

std::string help_of(const CommandText& command) {
  return command.usage + std::string("\n\n") + wrapped(command.description, kColumns) + '\n' + Grammar(command).help();
}

int print_help(const CommandText& command) { return std::fputs(help_of(command).c_str(), stdout) < 0 ? 1 : 0; }

}  // namespace strut
