#include "cli/dtrace/declared_probes.hpp"

#include "dlang/language/lexer.hpp"

namespace strut {
namespace {

class Declarations {
 public:
  explicit Declarations(std::string_view program) : lexer_(program, macros_, used_, options_) {
    macros_.default_arguments = true;
    take();
  }

  std::vector<DeclaredProbe> all() {
    while (token_.word != DWord::End)
      if (take().word == DWord::Provider) provider();
    return std::move(probes_);
  }

 private:
  DToken take() { return std::exchange(token_, lexer_.next()); }
  bool took(DWord word) { return token_.word == word && (take(), true); }
  bool is_over() const { return token_.word == DWord::End || token_.word == DWord::CloseBrace; }

  void provider() {
    std::string name = take().text;
    for (took(DWord::OpenBrace); !is_over(); took(DWord::Semicolon)) {
      take();  // probe
      DeclaredProbe& probe = probes_.emplace_back(DeclaredProbe{name, take().text, {}});
      if (took(DWord::OpenParenthesis)) probe.types = parameters();
      while (!is_over() && token_.word != DWord::Semicolon) take();  // as translators see them
    }
  }

  std::vector<std::string> parameters() {
    std::vector<std::string> types;
    while (!is_over() && !took(DWord::CloseParenthesis)) {
      std::string type = parameter();
      if (type != "void") types.push_back(std::move(type));
      took(DWord::Comma);
    }
    return types;
  }

  /// The last word of several is the parameter's name, behind a type's name. An array is a pointer.
  std::string parameter() {
    std::vector<DToken> words;
    bool is_array = false;
    while (!is_over() && token_.word != DWord::Comma && token_.word != DWord::CloseParenthesis) {
      is_array |= token_.word == DWord::OpenBracket;
      if (is_array) take();
      else words.push_back(take());
    }
    bool is_name = words.size() > 1 && words.back().word == DWord::Identifier && !is_tag(words[words.size() - 2].word);
    if (is_name) words.pop_back();
    std::string type;
    for (const DToken& word : words)
      type += (type.empty() ? "" : " ") + (word.text.empty() ? std::string(spelling_of(word.word)) : word.text);
    return is_array ? type + " *" : type;
  }

  static bool is_tag(DWord word) {
    return word == DWord::Struct || word == DWord::Union || word == DWord::Enum || word == DWord::Const ||
           word == DWord::Volatile;
  }

  DMacros macros_;
  MacrosUsed used_;
  std::vector<DOption> options_;
  DLexer lexer_;
  DToken token_;
  std::vector<DeclaredProbe> probes_;
};

}  // namespace

Result<std::vector<DeclaredProbe>> declared_probes(std::string_view program) {
  try {
    return Declarations(program).all();
  } catch (DError& error) {
    return fail_because(error.diagnostic.message);
  }
}

}  // namespace strut
