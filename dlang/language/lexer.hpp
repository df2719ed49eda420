// Turns the text of one source into tokens. Comments and control lines end here; macros are replaced here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/language/source.hpp"
#include "dlang/language/token.hpp"

namespace strut {

/// Which macro arguments a program has named, over all its sources.
using MacrosUsed = std::vector<bool>;

/// How many bytes of `rest`, which follows `before` in a probe description, are a path and not a predicate. A pid
/// probe's module may be one, `pid12:/usr/lib/x.so:f:entry`: it stands right behind the provider and goes on to a colon
/// without a sign that files of code do not have in their names. So may a source with a line, `pid12::src/x.c@42:`.
/// 0: none.
size_t path_bytes(std::string_view before, std::string_view rest);

/// `#pragma D depends_on CLASS NAME`; nullopt: the line is another one, or wrong.
std::optional<DOption> dependency_of(std::string_view line);

/// Reads tokens one by one. A copy is a bookmark: assigning it back goes back to where it was taken. Throws DError.
class DLexer {
 public:
  /// All that is passed in outlives the lexer.
  DLexer(std::string_view source, const DMacros& macros, MacrosUsed& used, std::vector<DOption>& options)
      : source_(source), macros_(&macros), used_(&used), options_(&options), first_option_(options.size()) {}

  /// The next token, of the kind that declarations and clauses' bodies consist of.
  DToken next();
  /// Looks at the next token without consuming it.
  DToken peek() const;

  /// The next words as a probe description, macros replaced: everything up to blank, ',', '/', '{' or ';'. Empty: none
  /// follows.
  std::string probe_words();
  /// True if the next identifier-like word is followed by ':' or anything else that makes it a probe description.
  bool at_probe_words() const;

  /// Where the next token begins.
  DPosition position();

 private:
  char at(size_t offset = 0) const { return here_ + offset < source_.size() ? source_[here_ + offset] : '\0'; }
  bool ended() const { return here_ >= source_.size(); }
  bool looking_at(std::string_view text) const { return source_.substr(here_).starts_with(text); }
  void advance(size_t count);
  bool begins_line() const;
  void skip_blanks();
  void skip_comment();
  void control_line();
  void add_option(DOption option);
  void pragma(std::string_view line, DPosition where);
  void dependency(std::string_view line, DPosition where);
  void line_number(std::string_view words, DPosition where);

  DToken integer();
  std::string_view word_from(size_t began) const;
  void integer_suffix(DToken& token);
  DToken character();
  DToken text();
  char escaped(bool in_text);
  DToken identifier();
  DToken aggregation();
  DToken macro();
  DToken macro_token(const std::string& value, DPosition where);
  std::string macro_value(std::string_view name, DPosition where);
  bool has_defaults() const;
  std::string argument_value(std::string_view digits, DPosition where);
  std::string_view macro_name();
  DToken sign();

  std::string_view source_;
  const DMacros* macros_;
  MacrosUsed* used_;
  std::vector<DOption>* options_;
  size_t first_option_;  ///< for this source
  size_t here_ = 0;
  DPosition where_;
};

}  // namespace strut
