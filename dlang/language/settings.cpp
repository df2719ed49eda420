#include "dlang/language/settings.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>

#include "base/plain_text.hpp"
#include "dlang/machine/time_units.hpp"

namespace strut {
namespace {

struct Flag {
  std::string_view name;
  bool DSettings::* member;
};
constexpr Flag kFlags[] = {
    {"quiet", &DSettings::quiet},
    {"flowindent", &DSettings::flowindent},
    {"destructive", &DSettings::destructive},
    {"defaultargs", &DSettings::defaultargs},
    {"rawbytes", &DSettings::rawbytes},
    {"errtags", &DSettings::errtags},
    {"droptags", &DSettings::droptags},
    {"zdefs", &DSettings::zdefs},
    {"noresolve", &DSettings::noresolve},
    {"nolibs", &DSettings::nolibs},
    {"aggsortkey", &DSettings::aggsortkey},
    {"aggsortrev", &DSettings::aggsortrev},
    {"agghist", &DSettings::agghist},
    {"aggpack", &DSettings::aggpack},
    {"aggzoom", &DSettings::aggzoom},
    {"empty", &DSettings::empty},
    {"argref", &DSettings::argref},
    {"cpp", &DSettings::cpp},
    {"verbose", &DSettings::show_code},
    {"opcode", &DSettings::opcode},
};

constexpr std::string_view kWantedFlag = "no value, 1, true, yes, on, 0, false, no or off";
constexpr std::string_view kWantedSize = "a size: a number, or one with k, m, g or t";

/// A number within bounds: of bytes, or just a number.
struct Amount {
  std::string_view name;
  uint64_t DSettings::* member;
  bool is_size;
  uint64_t least, most;
};
constexpr uint64_t kGibibyte = 1 << 30;
constexpr Amount kAmounts[] = {
    {"strsize", &DSettings::strsize, true, 1, 65536},
    {"scratchsize", &DSettings::scratchsize, true, 0, 64 * kGibibyte},
    {"bufsize", &DSettings::bufsize, true, 0, 64 * kGibibyte},
    {"aggsize", &DSettings::aggsize, true, 0, 64 * kGibibyte},
    {"dynvarsize", &DSettings::dynvarsize, true, 0, 64 * kGibibyte},
    {"specsize", &DSettings::specsize, true, 0, 64 * kGibibyte},
    {"jstackstrsize", &DSettings::jstackstrsize, true, 0, 65536},
    {"nspec", &DSettings::nspec, false, 0, 65536},
    {"stackframes", &DSettings::stackframes, false, 1, 512},
    {"ustackframes", &DSettings::ustackframes, false, 1, 512},
    {"jstackframes", &DSettings::jstackframes, false, 1, 512},
    {"stackindent", &DSettings::stackindent, false, 0, 256},
    {"maxframes", &DSettings::maxframes, false, 1, 512},
    {"aggsortpos", &DSettings::aggsortpos, false, 0, 1024},
    {"aggsortkeypos", &DSettings::aggsortkeypos, false, 0, 1024},
    {"maxhits", &DSettings::maxhits, false, 0, UINT64_MAX},
    {"ignore", &DSettings::ignore, false, 0, UINT64_MAX},
    {"maxprobes", &DSettings::maxprobes, false, 1, UINT32_MAX},
    {"iregs", &DSettings::iregs, false, 0, UINT32_MAX},
    {"tregs", &DSettings::tregs, false, 0, UINT32_MAX},
};

/// Options of DTrace that have nothing to change here: their values are looked at, no more.
struct Accepted {
  enum class Kind : uint8_t { Flag, Number, Size, Path, Words };
  std::string_view name;
  Kind kind;
  std::string_view words = {};
};
constexpr Accepted kAccepted[] = {
    {"aggpercpu", Accepted::Kind::Flag},
    {"bpflog", Accepted::Kind::Flag},
    {"bpflogsize", Accepted::Kind::Size},
    {"bufresize", Accepted::Kind::Words, "auto,manual"},
    {"core", Accepted::Kind::Flag},
    {"cpu", Accepted::Kind::Number},
    {"ctfpath", Accepted::Kind::Path},
    {"ctypes", Accepted::Kind::Path},
    {"debug", Accepted::Kind::Flag},
    {"debugassert", Accepted::Kind::Path},
    {"disasm", Accepted::Kind::Number},
    {"dtypes", Accepted::Kind::Path},
    {"kdefs", Accepted::Kind::Flag},
    {"knodefs", Accepted::Kind::Flag},
    {"ldpath", Accepted::Kind::Path},
    {"linkmode", Accepted::Kind::Words, "kernel,primary,dynamic,static"},
    {"linknommap", Accepted::Kind::Flag},
    {"linktype", Accepted::Kind::Words, "elf,dof"},
    {"lockmem", Accepted::Kind::Size, "unlimited"},
    {"modpath", Accepted::Kind::Path},
    {"pcapsize", Accepted::Kind::Size},
    {"pgmax", Accepted::Kind::Number},
    {"preallocate", Accepted::Kind::Size},
    {"procfspath", Accepted::Kind::Path},
    {"pspec", Accepted::Kind::Flag},
    {"quietresize", Accepted::Kind::Flag},
    {"syslibdir", Accepted::Kind::Path},
    {"tree", Accepted::Kind::Number},
    {"udefs", Accepted::Kind::Flag},
    {"unodefs", Accepted::Kind::Flag},
};

/// Behind the newest D that there is: DTrace 2.0's, 2.0.1.
constexpr uint64_t kBeyond[] = {2, 0, 2};

/// Options for cpp, with cpp's own letters; the value of one without a letter is words of its own.
struct CppOption {
  std::string_view name, letter;
  bool has_value;
};
constexpr CppOption kCppOptions[] = {
    {"cppargs", "", true},  {"cpphdrs", "-H", false}, {"define", "-D", true},
    {"incdir", "-I", true}, {"undef", "-U", true},
};

/// The degree of conformance to C (-X) says what cpp has for __STDC__.
struct Conformance {
  std::string_view degree, word;
};
constexpr Conformance kConformance[] = {
    {"a", "-D__STDC__=0"}, {"c", "-D__STDC__=1"}, {"s", "-U__STDC__"}, {"t", "-D__STDC__=0"}};

constexpr std::string_view kOnlyForCommandLine[] = {
    "core",   "cpp",    "cppargs", "cpphdrs",  "cpppath",  "ctypes", "define", "droptags",  "dtypes",
    "incdir", "ldpath", "libdir",  "linkmode", "linktype", "stdc",   "undef",  "syslibdir",
};

struct Time {
  std::string_view name;
  uint64_t DSettings::* member;
};
constexpr Time kTimes[] = {
    {"switchrate", &DSettings::switchrate_ns},
    {"aggrate", &DSettings::aggrate_ns},
    {"cleanrate", &DSettings::cleanrate_ns},
    {"statusrate", &DSettings::statusrate_ns},
};

constexpr uint64_t kSecond = 1'000'000'000;

/// Digits and a unit.
struct Quantity {
  uint64_t number = 0;
  std::string_view suffix;
};

std::optional<Quantity> quantity(std::string_view text) {
  Quantity quantity;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (problem != std::errc{}) return std::nullopt;
  quantity.suffix = text.substr(static_cast<size_t>(end - text.data()));
  return quantity;
}

std::optional<uint64_t> size_of(std::string_view text) {
  auto given = quantity(text);
  if (!given || given->suffix.size() > 1) return std::nullopt;
  if (given->suffix.empty()) return given->number;
  size_t power = std::string_view("kmgt").find(lower(given->suffix[0]));
  if (power == std::string_view::npos || given->number > (UINT64_MAX >> (10 * (power + 1)))) return std::nullopt;
  return given->number << (10 * (power + 1));
}

/// A rate of so many hz is the time between two.
std::optional<uint64_t> time_of(std::string_view text) {
  auto given = quantity(text);
  if (!given || given->number == 0) return std::nullopt;
  if (given->suffix.empty() || same_ignoring_case(given->suffix, "hz"))
    return given->number > kSecond ? 1 : kSecond / given->number;
  std::string unit(given->suffix);
  std::ranges::transform(unit, unit.begin(), lower);
  auto unit_ns = time_unit_ns(unit);
  if (!unit_ns || given->number > UINT64_MAX / *unit_ns) return std::nullopt;
  return given->number * *unit_ns;
}

std::optional<bool> flag_of(std::string_view text) {
  static constexpr std::string_view kOn[] = {"", "1", "true", "yes", "on"};
  static constexpr std::string_view kOff[] = {"0", "false", "no", "off"};
  if (std::ranges::count(kOn, text) != 0) return true;
  return std::ranges::count(kOff, text) != 0 ? std::optional(false) : std::nullopt;
}

/// The place of a word in a list, which is the enumerator's value.
std::optional<uint8_t> word_of(std::string_view text, std::string_view words) {
  uint8_t index = 0;
  for (CommaList list(words); auto word = list.next(); index++)
    if (*word == text) return index;
  return std::nullopt;
}

/// The reason why a version is refused; nullopt: it is known. Numbers with dots between them, less than kBeyond.
std::optional<std::string> version_problem(std::string_view text) {
  uint64_t parts[std::size(kBeyond)] = {};
  for (size_t count = 0; count < std::size(parts); count++) {
    auto number = quantity(text);
    if (!number) break;
    parts[count] = number->number;
    text = number->suffix;
    bool is_last = text.empty() || count + 1 == std::size(parts) || text[0] != '.';
    if (!is_last) {
      text.remove_prefix(1);
      continue;
    }
    if (!text.empty() || count == 0) break;
    bool is_known = std::ranges::lexicographical_compare(parts, kBeyond);
    return is_known ? std::nullopt : std::optional("Requested version is not supported by compiler");
  }
  return "Version is not properly formatted or is too large";
}

/// The values that are permitted; nullopt: this is one of them.
using Wanted = std::optional<std::string>;

template <typename T, typename U>
Wanted set(T& setting, const std::optional<U>& value, std::string_view wanted) {
  if (!value) return std::string(wanted);
  setting = static_cast<T>(*value);
  return std::nullopt;
}

Wanted set_amount(DSettings& settings, const Amount& row, std::string_view value) {
  auto given = row.is_size                                          ? size_of(value)
               : quantity(value) && quantity(value)->suffix.empty() ? std::optional(quantity(value)->number)
                                                                    : std::nullopt;
  if (given && (*given < row.least || *given > row.most))
    return "a number from " + std::to_string(row.least) + " to " + std::to_string(row.most);
  return set(settings.*row.member, given, row.is_size ? kWantedSize : "a number");
}

Wanted accept(const Accepted& row, std::string_view value) {
  auto wants = [](bool holds, std::string_view otherwise) {
    return holds ? std::nullopt : std::optional(std::string(otherwise));
  };
  switch (row.kind) {
    case Accepted::Kind::Flag: return wants(flag_of(value).has_value(), kWantedFlag);
    case Accepted::Kind::Size: return wants(value == row.words || size_of(value), kWantedSize);
    case Accepted::Kind::Number: return wants(quantity(value) && quantity(value)->suffix.empty(), "a number");
    case Accepted::Kind::Path: return wants(!value.empty(), "a path");
    case Accepted::Kind::Words: return wants(word_of(value, row.words).has_value(), row.words);
  }
  return std::nullopt;
}

Wanted add_cpp_words(DSettings& settings, const CppOption& row, std::string_view value) {
  if (row.has_value == value.empty()) return row.has_value ? "a value" : "no value";
  settings.cpp_words.push_back(std::string(row.letter) + std::string(value));
  return std::nullopt;
}

/// cpp warns of changes to what it defines itself.
Wanted set_conformance(DSettings& settings, std::string_view value) {
  for (const Conformance& row : kConformance) {
    if (row.degree != value) continue;
    settings.cpp_words.insert(settings.cpp_words.end(), {"-w", std::string(row.word)});
    return std::nullopt;
  }
  return "a,c,s,t";
}

/// Sets an option. nullopt: there is no such option; else the values that are permitted, if this is none of them.
std::optional<Wanted> try_option(DSettings& settings, std::string_view name, std::string_view value) {
  for (const Flag& row : kFlags)
    if (row.name == name) return set(settings.*row.member, flag_of(value), kWantedFlag);
  for (const Amount& row : kAmounts)
    if (row.name == name) return set_amount(settings, row, value);
  for (const Time& row : kTimes)
    if (row.name == name)
      return set(settings.*row.member, time_of(value), "a time: a number with ns, us, ms, s, m, h, d or hz");
  for (const CppOption& row : kCppOptions)
    if (row.name == name) return add_cpp_words(settings, row, value);
  for (const Accepted& row : kAccepted)
    if (row.name == name) return accept(row, value);
  if (name == "stdc") return set_conformance(settings, value);
  Wanted path = value.empty() ? Wanted("a path") : std::nullopt;
  if (name == "libdir") return settings.libdirs.emplace_back(value), path;
  if (name == "cpppath") return settings.cpppath = value, path;
  if (name == "amin") return set(settings.amin, parse_stability(value), "Stable/Stable/Common and the like");
  if (name == "bufpolicy") return set(settings.bufpolicy, word_of(value, "switch,ring,fill"), "switch, ring or fill");
  if (name == "evaltime")
    return set(settings.evaltime, word_of(value, "exec,preinit,postinit,main"), "exec, preinit, postinit or main");
  return std::nullopt;
}

}  // namespace

Result<void> apply_option(DSettings& settings, std::string_view name, std::string_view value, OptionFrom from) {
  if (from == OptionFrom::Program && std::ranges::count(kOnlyForCommandLine, name) != 0)
    return fail({0, {}, {}, "Option cannot be used from within a D program", "-x on the command line"});
  if (name == "version") {
    auto problem = version_problem(value);
    if (!problem) return {};
    return fail({0, {}, {}, *problem, "a version of D, 2.0.1 or an earlier one"});
  }
  std::optional<Wanted> wanted = try_option(settings, name, value);
  if (!wanted) return fail({0, {}, {}, "Invalid option name", "one that the manual page lists"});
  if (!*wanted) return {};
  return fail({0, {}, {}, "Invalid value for specified option", **wanted});
}

}  // namespace strut
