#include "cli/symbols/options.hpp"

#include <charconv>

#include "base/plain_text.hpp"

namespace strut {

namespace {

enum Id : int { kAttach, kAddress, kDemangle, kTypes, kOnly, kFormat };

constexpr CommandOption kOptions[] = {
    heading("What is looked at"),
    {"-p,--attach", Takes::Value, kAttach, "PID", "the process; it is only looked at"},
    {"-a,--address", Takes::Value, kAddress, "ADDR",
     "what is at these addresses of the file or process (hexadecimal, separated by commas): function, source line, "
     "inlined calls. `-` reads them from standard input, one a line"},
    {"--only", Takes::Value, kOnly, "KINDS", "symbols, plt, got, usdt (separated by commas)"},
    heading("What it looks like"),
    {"-C,--demangle", Takes::Nothing, kDemangle, "",
     "C++ and Rust names as their languages have them; PATTERN is matched against these"},
    {"-T,--types", Takes::Nothing, kTypes, "", "with what functions take and return, where there is debug information"},
    {"--format", Takes::Value, kFormat, "text|json", "json: one object a line (docs/json.md)"},
};

Result<void> take_kinds(SymbolsOptions& options, std::string_view text) {
  constexpr std::pair<std::string_view, uint8_t> kNames[] = {
      {"symbols", kListSymbols}, {"plt", kListPlt}, {"got", kListGot}, {"usdt", kListUsdt}};
  options.kinds = 0;
  CommaList list(text);
  while (auto item = list.next()) {
    uint8_t kind = 0;
    for (auto [name, bit] : kNames)
      if (name == *item) kind = bit;
    if (!kind)
      return fail_because("invalid --only argument: '" + std::string(*item) + "': it is symbols, plt, got or usdt");
    options.kinds |= kind;
  }
  if (!options.kinds) return fail_because("--only needs a kind: symbols, plt, got, usdt");
  return {};
}

Result<void> take_addresses(SymbolsOptions& options, std::string_view text) {
  if (text == "-") {
    options.read_addresses = true;
    return {};
  }
  CommaList list(text);
  size_t before = options.addresses.size();
  while (auto item = list.next()) {
    auto address = parse_address(*item);
    if (!address) return fail_because("invalid address: '" + std::string(*item) + "': it is a hexadecimal number");
    options.addresses.push_back(*address);
  }
  if (options.addresses.size() == before) return fail_because("--address needs an address");
  return {};
}

Result<void> take(SymbolsOptions& options, const TypedOption& option) {
  std::string_view value = option.value ? *option.value : std::string_view();
  switch (option.id) {
    case kTypes: options.types = true; return {};
    case kDemangle: options.names = NameForm::Demangled; return {};
    case kOnly: return take_kinds(options, value);
    case kAddress: return take_addresses(options, value);
    case kFormat:
      if (value != "text" && value != "json")
        return fail_because("invalid --format argument: '" + std::string(value) + "': it is text or json");
      options.format = value == "json" ? SymbolsFormat::Json : SymbolsFormat::Text;
      return {};
    default: break;
  }
  auto pid = parse_decimal(value);
  if (!pid || *pid == 0) return fail_because("Invalid process id: '" + std::string(value) + "'");
  options.pid = Pid{static_cast<int32_t>(*pid)};
  return {};
}

/// FILE and PATTERN, and combinations that are refused.
Result<void> take_words(SymbolsOptions& options, std::span<const std::string> words) {
  if (!options.pid) {
    if (words.empty()) return fail_because("which file? FILE or -p PID is needed; `strut symbols --help` shows how");
    options.file = words[0];
    words = words.subspan(1);
  }
  if (!words.empty()) {
    options.pattern = words[0];
    words = words.subspan(1);
  }
  if (!words.empty()) return fail_because("one FILE and one PATTERN are enough: '" + words[0] + "'");
  if (options.pattern && options.resolves()) return fail_because("either PATTERN or --address");
  return {};
}

}  // namespace

std::optional<uint64_t> parse_address(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  uint64_t address = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return address;
}

const CommandText kSymbolsCommand = {
    "usage: strut symbols [OPTIONS] FILE [PATTERN]    of a program, a library, …\n"
    "       strut symbols [OPTIONS] -p PID [PATTERN]  of all that a process maps",
    "Lists symbols, PLT stubs, GOT slots of functions and USDT probes by address. PATTERN is a name or a glob of it "
    "('malloc', 'str*cpy'); MODULE`PATTERN limits it to a module of the process ('libc`mem*').",
    Operands::Anywhere, kOptions};

Result<SymbolsOptions> parse_symbols_options(std::span<const std::string> words) {
  CommandWords typed = TRY(parse_command(kSymbolsCommand, words));
  SymbolsOptions options;
  options.help = typed.help;
  if (options.help) return options;
  for (const TypedOption& option : typed.options) TRY_VOID(take(options, option));
  TRY_VOID(take_words(options, typed.operands));
  return options;
}

}  // namespace strut
