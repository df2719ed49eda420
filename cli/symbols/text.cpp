#include "cli/common/message.hpp"
#include "cli/symbols/report.hpp"
#include "formatters/common/text_buffer.hpp"
#include "symtab/elf/demangle.hpp"

namespace strut {

namespace {

constexpr unsigned kSizeWidth = 9;
constexpr size_t kKindWidth = 16;

std::string_view binding_before_name(Binding binding) {
  switch (binding) {
    case Binding::Local: return "local ";
    case Binding::Weak: return "weak ";
    case Binding::Unique: return "unique ";
    case Binding::Global: return "";
  }
  return "?";
}

class SymbolsText final : public SymbolsReport {
 public:
  SymbolsText(NameForm names, ModuleNames modules) : names_(names), modules_(modules) {}

  void name(const ListedName& listed) override {
    begin(listed);
    switch (listed.kind) {
      case ListedName::Kind::Symbol: symbol(listed); break;
      case ListedName::Kind::Plt:
        put_name(*listed.module, listed.name), nameless(listed, listed.stub->resolver), text_.put("@plt");
        break;
      case ListedName::Kind::Got: put_name(*listed.module, listed.name), nameless(listed, listed.slot->resolver); break;
      case ListedName::Kind::Usdt: probe(listed); break;
    }
    text_.put('\n');
  }

  void address(const ResolvedAddress& resolved) override {
    size_t begins = text_.size();
    text_.hex(resolved.asked);
    text_.put(' ');
    size_t width = text_.size() - begins;
    SourceLine here = resolved.line.value_or(SourceLine{});
    for (const InlinedCall& call : resolved.inlined) {
      text_.put(readable(call.function));
      text_.put(" [inlined]");
      place(here);
      text_.put('\n');
      text_.spaces(width);
      here = call.called_from;
    }
    put_location(resolved);
    place(here);
    text_.put('\n');
  }

  std::string_view text() const override { return text_.view(); }
  void clear() override { text_.clear(); }

 private:
  std::string readable(std::string_view name) const {
    return printable(names_ == NameForm::Demangled ? demangled(name) : std::string(name));
  }

  /// Address, bytes, kind.
  void begin(const ListedName& listed) {
    text_.hex_digits(listed.address, 16);
    uint64_t bytes = listed.symbol ? listed.symbol->bytes : listed.stub ? listed.stub->bytes : 0;
    text_.put(' ');
    if (bytes != 0) text_.decimal_padded(bytes, kSizeWidth, ' ');
    else text_.spaces(kSizeWidth - 1), text_.put('-');
    text_.put("  ");
    size_t before = text_.size();
    if (listed.symbol) text_.put(binding_before_name(listed.symbol->binding));
    text_.put(listed.symbol ? type_name(listed.symbol->type) : listed.stub ? "plt" : listed.slot ? "got" : "usdt");
    size_t used = text_.size() - before;
    text_.spaces(used < kKindWidth ? kKindWidth - used : 1);
  }

  void put_name(const Module& module, std::string_view name) {
    if (modules_ == ModuleNames::Shown) text_.put(printable(module.name())), text_.put('`');
    text_.put(readable(name));
  }

  /// A call in a stripped static program is named by its resolver's address, as objdump(1) shows it.
  void nameless(const ListedName& listed, uint64_t resolver) {
    if (!listed.name.empty()) return;
    text_.put("*ABS*+");
    text_.hex(resolver + listed.module->bias);
  }

  void symbol(const ListedName& listed) {
    put_name(*listed.module, listed.name);
    if (!listed.symbol->version.empty()) {
      text_.put(listed.symbol->default_version ? "@@" : "@");
      text_.put(printable(listed.symbol->version));
    }
    if (!listed.prototype.empty()) text_.put("  "), text_.put(printable(listed.prototype));
  }

  void probe(const ListedName& listed) {
    if (modules_ == ModuleNames::Shown) text_.put(printable(listed.module->name())), text_.put('`');
    text_.put(printable(listed.probe.provider));
    text_.put(':');
    text_.put(printable(listed.name));
    if (!listed.probe.arguments.empty()) text_.put(' '), text_.put(printable(listed.probe.arguments));
    if (listed.probe.semaphore == 0) return;
    text_.put(" semaphore ");
    text_.hex(listed.probe.semaphore + listed.module->bias);
  }

  void put_location(const ResolvedAddress& resolved) {
    const Location& location = resolved.location;
    if (!location.module && location.name.empty()) return text_.put("in no module");
    text_.put(location.module ? printable(location.module->name()) : "[jit]");
    if (!location.name.empty()) {
      text_.put('`');
      text_.put(readable(location.name));
      if (location.is_stub) text_.put("@plt");
      return plus(location.offset);
    }
    if (!location.module->file) return text_.put(" (cannot be read)");
    if (!resolved.bounds) return plus(location.file_address), text_.put(" (no symbol)");
    plus(location.file_address);
    text_.put(" (no symbol; function from ");
    text_.hex(resolved.bounds->begin);
    text_.put(" to ");
    text_.hex(resolved.bounds->end);
    text_.put(" by .eh_frame)");
  }

  void plus(uint64_t offset) {
    text_.put('+');
    if (offset == 0) text_.put("0x0");
    else text_.hex(offset);
  }

  void place(const SourceLine& line) {
    if (line.file.empty()) return;
    text_.put(" (");
    text_.put(printable(line.file));
    text_.put(':');
    if (line.line == 0) text_.put('?');
    else text_.decimal(uint64_t{line.line});
    if (line.column != 0) text_.put(':'), text_.decimal(uint64_t{line.column});
    text_.put(')');
  }

  NameForm names_;
  ModuleNames modules_;
  TextBuffer text_;
};

}  // namespace

std::unique_ptr<SymbolsReport> make_symbols_text(NameForm names, ModuleNames modules) {
  return std::make_unique<SymbolsText>(names, modules);
}

}  // namespace strut
