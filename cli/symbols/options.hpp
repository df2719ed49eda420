// The command line of `strut symbols`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "cli/common/command_line.hpp"

namespace strut {

enum class SymbolsFormat : uint8_t { Text, Json };
enum class NameForm : uint8_t { Mangled, Demangled };

/// The listed kinds: bits.
enum SymbolKinds : uint8_t { kListSymbols = 1, kListPlt = 2, kListGot = 4, kListUsdt = 8, kListAll = 15 };

struct SymbolsOptions {
  std::optional<Pid> pid;
  std::string file;  ///< where there is no pid
  std::optional<std::string> pattern;
  std::vector<uint64_t> addresses;
  bool read_addresses = false;  ///< --address -: from standard input, one a line
  uint8_t kinds = kListAll;
  SymbolsFormat format = SymbolsFormat::Text;
  NameForm names = NameForm::Mangled;
  bool types = false;  ///< --types: with prototypes
  bool help = false;

  bool resolves() const { return read_addresses || !addresses.empty(); }
};

extern const CommandText kSymbolsCommand;

Result<SymbolsOptions> parse_symbols_options(std::span<const std::string> words);

/// Hexadecimal digits, with or without 0x.
std::optional<uint64_t> parse_address(std::string_view text);

}  // namespace strut
