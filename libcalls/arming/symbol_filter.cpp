#include "libcalls/arming/symbol_filter.hpp"

#include <regex.h>

#include <algorithm>

#include "base/expression_size.hpp"
#include "pid-provider/probe_description.hpp"
#include "symtab/elf/source_names.hpp"

namespace strut {

/// A compiled regular expression.
struct NamePattern::Expression {
  regex_t compiled{};
  bool ready = false;
  Expression() = default;
  Expression(const Expression&) = delete;
  ~Expression() {
    if (ready) regfree(&compiled);
  }
};

namespace {

std::unexpected<Error> wrong(std::string_view text, std::string why) {
  return fail_because("invalid filter '" + std::string(text) + "': " + std::move(why));
}

bool is_expression(std::string_view text) { return text.size() >= 2 && text.front() == '/' && text.back() == '/'; }

/// Where the rule ends that begins here: at a sign outside of slashes and brackets.
size_t end_of_rule(std::string_view text) {
  char closes = 0;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (c == '\\') {
      i++;
    } else if (closes != 0) {
      // /x@y/ goes on behind the @; a path has no second slash of its own kind to wait for.
      if (c == closes) closes = 0;
    } else if (c == '[') {
      closes = text.find(']', i + 1) != std::string_view::npos ? ']' : 0;
    } else if (c == '/' && (i == 0 || text[i - 1] == '@') && text.find('/', i + 1) != std::string_view::npos) {
      closes = '/';
    } else if (c == '+' || c == '-') {
      return i;
    }
  }
  return text.size();
}

/// The @ between the two patterns of a rule, outside of an expression unless it is in the middle of /x@y/.
size_t at_sign(std::string_view rule) {
  if (!rule.starts_with('/')) return rule.find('@');
  size_t closing = rule.find('/', 1);
  if (closing == std::string_view::npos) return rule.find('@');
  if (closing + 1 < rule.size() && rule[closing + 1] == '@') return closing + 1;
  return rule.find('@');
}

}  // namespace

Result<NamePattern> NamePattern::parse(std::string_view text) {
  NamePattern pattern;
  // No mangled name has such characters.
  pattern.is_of_source_ = text.find_first_of(":(<~ ") != std::string_view::npos;
  if (is_expression(text)) {
    if (expression_size(text, false) > kLargestExpression) return wrong(text, "its repetitions multiply to too much");
    auto expression = std::make_shared<Expression>();
    std::string whole = "^\\(" + std::string(text.substr(1, text.size() - 2)) + "\\)$";
    if (int error = regcomp(&expression->compiled, whole.c_str(), REG_NOSUB); error != 0) {
      char why[200];
      regerror(error, &expression->compiled, why, sizeof why);
      return wrong(text, why);
    }
    expression->ready = true;
    pattern.expression_ = std::move(expression);
    return pattern;
  }
  if (text.starts_with('^')) text.remove_prefix(1);
  if (text.ends_with('$')) text.remove_suffix(1);
  pattern.glob_ = text.empty() ? "*" : text;
  return pattern;
}

bool NamePattern::matches(std::string_view name) const {
  if (fits(name)) return true;
  return is_of_source_ && std::ranges::any_of(source_names(name), [&](const std::string& one) { return fits(one); });
}

bool NamePattern::fits(std::string_view name) const {
  if (expression_) return regexec(&expression_->compiled, std::string(name).c_str(), 0, nullptr, 0) == 0;
  return glob_.empty() || glob_matches(glob_, name);
}

Result<ModulePattern> ModulePattern::parse(std::string_view text) {
  ModulePattern pattern;
  if (text.empty()) return pattern;
  if (text == "MAIN") {
    pattern.of_ = Of::Main;
    return pattern;
  }
  pattern.of_ = text.front() == '/' && !is_expression(text) ? Of::Path : Of::Soname;
  pattern.pattern_ = TRY(NamePattern::parse(text));
  return pattern;
}

bool ModulePattern::matches(const FilteredModule& module) const {
  switch (of_) {
    case Of::Anything: return true;
    case Of::Main: return module.is_main;
    case Of::Path: return pattern_.matches(module.path);
    case Of::Soname: return pattern_.matches(module.soname);
  }
  return false;
}

Result<SymbolFilter::Rule> SymbolFilter::parse_rule(std::string_view text, bool adds) {
  Rule rule;
  rule.adds = adds;
  rule.text.text = text;
  size_t at = at_sign(text);
  std::string symbol(text.substr(0, at)),
      module(at == std::string_view::npos ? std::string_view{} : text.substr(at + 1));
  // /x@y/ is short for /x/@/y/.
  if (symbol.starts_with('/') && !is_expression(symbol) && module.ends_with('/')) {
    symbol += '/';
    module.insert(0, 1, '/');
    if (module == "/MAIN/") module = "MAIN";
  }
  if (!symbol.empty()) rule.symbol = TRY(NamePattern::parse(symbol));
  rule.module = TRY(ModulePattern::parse(module));
  rule.text.symbol = symbol;
  rule.text.module = module == "MAIN" ? "" : module;
  return rule;
}

Result<SymbolFilter> SymbolFilter::parse(std::string_view text) {
  SymbolFilter filter;
  if (text.empty()) return wrong(text, "it is empty");
  // A first rule that takes away takes away from everything.
  if (text.front() == '-') filter.rules_.push_back({});
  const std::string_view whole = text;
  bool adds = true, first = true;
  while (!text.empty()) {
    if (text.front() == '+' || text.front() == '-') {
      adds = text.front() == '+';
      text.remove_prefix(1);
      if (text.empty()) return wrong(whole, "nothing stands behind the last sign");
    } else if (!first) {
      return wrong(text, "it needs a + or a - before it");
    }
    size_t end = end_of_rule(text);
    filter.rules_.push_back(TRY(parse_rule(text.substr(0, end), adds)));
    text.remove_prefix(end);
    first = false;
  }
  return filter;
}

Result<SymbolFilter> SymbolFilter::of_modules(std::string_view pattern) {
  SymbolFilter filter;
  if (pattern.empty()) return wrong(pattern, "it is empty");
  Rule rule;
  rule.module = TRY(ModulePattern::parse(pattern));
  rule.text = {std::string(pattern), {}, std::string(pattern)};
  filter.rules_.push_back(std::move(rule));
  return filter;
}

SymbolFilter SymbolFilter::main_program() {
  SymbolFilter filter;
  Rule rule;
  rule.module = *ModulePattern::parse("MAIN");
  filter.rules_.push_back(std::move(rule));
  return filter;
}

bool SymbolFilter::matches(std::string_view symbol, const FilteredModule& module) const {
  bool marked = false;
  for (const Rule& rule : rules_)
    if (rule.adds != marked && rule.symbol.matches(symbol) && rule.module.matches(module)) marked = rule.adds;
  return marked;
}

void SymbolFilter::note(std::string_view symbol, const FilteredModule& module, std::vector<bool>& fitting) const {
  fitting.resize(rules_.size());
  for (size_t i = 0; i < rules_.size(); i++) {
    const Rule& rule = rules_[i];
    if (!fitting[i] && rule.adds && rule.symbol.matches(symbol) && rule.module.matches(module)) fitting[i] = true;
  }
}

std::vector<SymbolFilter::RuleText> SymbolFilter::unnoted(const std::vector<bool>& fitting) const {
  std::vector<RuleText> texts;
  for (size_t i = 0; i < rules_.size(); i++) {
    bool fits = i < fitting.size() && fitting[i];
    if (rules_[i].adds && !fits && !rules_[i].text.text.empty()) texts.push_back(rules_[i].text);
  }
  return texts;
}

size_t SymbolFilter::adding_rules() const { return static_cast<size_t>(std::ranges::count_if(rules_, &Rule::adds)); }

bool SymbolFilter::may_match(const FilteredModule& module) const {
  return std::ranges::any_of(rules_, [&](const Rule& rule) { return rule.adds && rule.module.matches(module); });
}

bool any_matches(const std::vector<SymbolFilter>& filters, std::string_view symbol, const FilteredModule& module) {
  return std::ranges::any_of(filters, [&](const SymbolFilter& filter) { return filter.matches(symbol, module); });
}

}  // namespace strut
