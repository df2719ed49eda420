#include "cli/symbols/report.hpp"
#include "formatters/common/text_buffer.hpp"
#include "formatters/json/value.hpp"
#include "formatters/json/writer.hpp"
#include "symtab/elf/demangle.hpp"
#include "symtab/elf/usdt_arguments.hpp"

namespace strut {

namespace {

std::string_view binding_name(Binding binding) {
  switch (binding) {
    case Binding::Local: return "local";
    case Binding::Weak: return "weak";
    case Binding::Unique: return "unique";
    case Binding::Global: return "global";
  }
  return "?";
}

std::string_view by_name(GotSlot::By by) {
  switch (by) {
    case GotSlot::By::JumpSlot: return "jump_slot";
    case GotSlot::By::GlobDat: return "glob_dat";
    case GotSlot::By::Irelative: return "irelative";
  }
  return "?";
}

class SymbolsJson final : public SymbolsReport {
 public:
  explicit SymbolsJson(NameForm names) : names_(names) {}

  void name(const ListedName& listed) override {
    JsonWriter json(text_);
    json.begin_object();
    constexpr const char* kTypes[] = {"symbol", "plt", "got", "usdt"};
    json.member("type", kTypes[static_cast<size_t>(listed.kind)]);
    text_member(json, "module", listed.module->path);
    if (listed.kind == ListedName::Kind::Usdt) text_member(json, "provider", listed.probe.provider);
    put_name(json, "name", listed.name);
    address_member(json, "address", listed.address);
    if (listed.symbol) symbol(json, *listed.symbol);
    if (!listed.prototype.empty()) text_member(json, "prototype", listed.prototype);
    if (listed.stub)
      json.member("bytes", listed.stub->bytes), address_member(json, "got", listed.stub->got + listed.module->bias);
    if (listed.slot) json.member("by", by_name(listed.slot->by));
    if (listed.slot && listed.slot->resolver)
      address_member(json, "resolver", listed.slot->resolver + listed.module->bias);
    if (listed.kind == ListedName::Kind::Usdt) probe(json, listed);
    json.end_object();
    text_.put('\n');
  }

  void address(const ResolvedAddress& resolved) override {
    const Location& location = resolved.location;
    JsonWriter json(text_);
    json.begin_object();
    json.member("type", "address");
    address_member(json, "address", resolved.asked);
    if (location.module) text_member(json, "module", location.module->path);
    if (location.module) address_member(json, "file_address", location.file_address);
    if (!location.name.empty()) {
      put_name(json, "name", location.name);
      json.member("offset", location.offset);
      if (location.is_stub) json.flag("plt");
    }
    if (resolved.bounds)
      address_member(json, "begins", resolved.bounds->begin), address_member(json, "ends", resolved.bounds->end);
    if (resolved.line) place(json, *resolved.line);
    if (!resolved.inlined.empty()) inlined(json, resolved.inlined);
    json.end_object();
    text_.put('\n');
  }

  std::string_view text() const override { return text_.view(); }
  void clear() override { text_.clear(); }

 private:
  static void text_member(JsonWriter& json, std::string_view key, std::string_view text) {
    json.key(key);
    put_json_bytes(json, text);
  }
  static void address_member(JsonWriter& json, std::string_view key, uint64_t address) {
    json.key(key);
    json.hex_string(address);
  }
  void put_name(JsonWriter& json, std::string_view key, std::string_view name) const {
    text_member(json, key, name);
    if (names_ != NameForm::Demangled) return;
    std::string readable = demangled(name);
    if (readable != name) text_member(json, "demangled", readable);
  }

  static void symbol(JsonWriter& json, const Symbol& symbol) {
    json.member("bytes", symbol.bytes);
    json.member("kind", type_name(symbol.type));
    json.member("binding", binding_name(symbol.binding));
    if (symbol.version.empty()) return;
    text_member(json, "version", symbol.version);
    json.key("default_version");
    json.boolean(symbol.default_version);
  }

  static void probe(JsonWriter& json, const ListedName& listed) {
    if (listed.probe.semaphore) address_member(json, "semaphore", listed.probe.semaphore + listed.module->bias);
    json.key("arguments");
    json.begin_array();
    for (const UsdtArgument& argument : usdt_arguments(listed.probe.arguments)) {
      json.begin_object();
      text_member(json, "operand", argument.text.substr(argument.text.find('@') + 1));
      json.member("bytes", uint64_t{argument.bytes});
      if (argument.is_signed) json.flag("signed");
      if (argument.is_float) json.flag("float");
      json.end_object();
    }
    json.end_array();
  }

  static void place(JsonWriter& json, const SourceLine& line) {
    text_member(json, "file", line.file);
    json.member("line", uint64_t{line.line});
    if (line.column) json.member("column", uint64_t{line.column});
  }

  void inlined(JsonWriter& json, const std::vector<InlinedCall>& calls) const {
    json.key("inlined");
    json.begin_array();
    for (const InlinedCall& call : calls) {
      json.begin_object();
      put_name(json, "function", call.function);
      json.key("called_from");
      json.begin_object();
      place(json, call.called_from);
      json.end_object();
      json.end_object();
    }
    json.end_array();
  }

  NameForm names_;
  TextBuffer text_;
};

}  // namespace

std::unique_ptr<SymbolsReport> make_symbols_json(NameForm names) { return std::make_unique<SymbolsJson>(names); }

}  // namespace strut
