// getopt_long(3)'s grammar as a pure function of words: clustered short options, attached arguments, long options with
// `=` or a blank and abbreviated where that is unambiguous. Ends at the first word that is no option (POSIX order).
//
// getopt_long itself keeps its state in globals and writes to stderr: neither tests nor fuzzing could call it freely.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace strut {

enum class Takes : uint8_t {
  Nothing,
  Value,
  MaybeValue,  ///< only attached: `--name=value`
};

struct ShortOption {
  char letter;
  Takes takes;
  int id;
  const char* value = "";  ///< what the value is, as CommandOption's, where a shell can offer some: "FILE", "PID"
};
struct LongOption {
  const char* name;
  Takes takes;
  int id;  ///< options of equal id and `takes` are one option under several names
  enum class Spelling : uint8_t { Abbreviable, Full } spelling = Spelling::Abbreviable;
};

/// The options of a tool.
struct OptionTables {
  std::span<const ShortOption> shorts;
  std::span<const LongOption> longs;
  /// False of options that the tables have for a better message alone.
  bool (*takes)(int id) = [](int) { return true; };
};

/// Tables of long options as one, in this order.
template <size_t... Counts>
constexpr auto joined(const LongOption (&... tables)[Counts]) {
  std::array<LongOption, (Counts + ...)> all{};
  auto end = all.begin();
  ((end = std::ranges::copy(tables, end).out), ...);
  return all;
}

/// One option as it stood on the command line. The views point into the words and tables.
struct ScannedOption {
  int id = 0;
  std::optional<std::string_view> value;
  std::string_view long_name;  ///< in full; empty: it was a letter
  char letter = 0;
};

/// Walks over words; both tables outlive it. Errors carry getopt_long's message in `why`.
class OptionScanner {
 public:
  OptionScanner(std::span<const ShortOption> shorts, std::span<const LongOption> longs,
                std::span<const std::string> words)
      : shorts_(shorts), longs_(longs), words_(words) {}

  /// The next option; nullopt: none is left, and `rest` says where the others begin.
  Result<std::optional<ScannedOption>> next();
  std::span<const std::string> rest() const { return words_.subspan(at_); }

 private:
  Result<std::optional<ScannedOption>> next_short();
  Result<std::optional<ScannedOption>> next_long(std::string_view word);
  Result<const LongOption*> find_long(std::string_view word, std::string_view name) const;

  std::span<const ShortOption> shorts_;
  std::span<const LongOption> longs_;
  std::span<const std::string> words_;
  size_t at_ = 0;             ///< the next word
  std::string_view cluster_;  ///< letters of the current word that are still to be read
};

}  // namespace strut
