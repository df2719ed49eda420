// ltrace's filter expressions (ltrace(1), FILTER EXPRESSIONS): which functions of which modules are traced.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "libcalls/arming/call_choice.hpp"

namespace strut {

/// A pattern of a name or of a module.
class NamePattern {
 public:
  /// Anything.
  NamePattern() = default;
  /// A glob with the usual meaning of a leading ^ and a trailing $, or a basic regular expression between slashes. Both
  /// have to match the whole name. Error: invalid expression; `why` has the reason.
  static Result<NamePattern> parse(std::string_view text);
  /// One with characters that only names in source code have ("shop::*", "*<int>*") is for those, too.
  bool matches(std::string_view name) const;

 private:
  struct Expression;
  bool fits(std::string_view name) const;
  bool is_of_source_ = false;
  std::string glob_;  ///< empty: anything
  std::shared_ptr<const Expression> expression_;
};

/// The pattern behind an @, and that of -l: a soname, MAIN, or a path where it begins with a slash.
class ModulePattern {
 public:
  static Result<ModulePattern> parse(std::string_view text);
  bool matches(const FilteredModule& module) const;

 private:
  enum class Of : uint8_t { Anything, Soname, Path, Main } of_ = Of::Anything;
  NamePattern pattern_;
};

/// A chain of rules. Several expressions of one option are alternatives: matches() of any.
class SymbolFilter {
 public:
  /// {[+-][SYMBOL][@MODULE]}: malloc+free-@libc.so*, /re/@/re/, /re@re/.
  static Result<SymbolFilter> parse(std::string_view text);
  /// The meaning of -l: any symbol of modules that match.
  static Result<SymbolFilter> of_modules(std::string_view pattern);
  /// The filter without -e.
  static SymbolFilter main_program();

  bool matches(std::string_view symbol, const FilteredModule& module) const;
  /// Marks the rules that fit a function and add it, whatever later rules take away. `fitting` grows to the number of
  /// rules.
  void note(std::string_view symbol, const FilteredModule& module, std::vector<bool>& fitting) const;
  /// A rule as it was typed, without its sign.
  struct RuleText {
    std::string text, symbol, module;
  };
  /// The rules that add, and that note() has never marked.
  std::vector<RuleText> unnoted(const std::vector<bool>& fitting) const;
  size_t adding_rules() const;
  /// False: no symbol of this module matches.
  bool may_match(const FilteredModule& module) const;

 private:
  struct Rule {
    bool adds = true;
    NamePattern symbol;
    ModulePattern module;
    RuleText text;  ///< for a rule without a text of the user: empty
  };
  static Result<Rule> parse_rule(std::string_view text, bool adds);
  std::vector<Rule> rules_;
};

/// True if any of several expressions matches; none: false.
bool any_matches(const std::vector<SymbolFilter>& filters, std::string_view symbol, const FilteredModule& module);

}  // namespace strut
