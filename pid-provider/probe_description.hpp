// Which probes are meant: provider:module:function:name, as DTrace writes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace strut {

/// The four fields of a description, in the order in which they are written.
enum class ProbeField : uint8_t { Provider, Module, Function, Name };

/// A description. Every field is a shell pattern (fnmatch(3) without flags: `*`, `?`, `[a-z]`, `[!a-z]`, `\x`); an
/// empty one matches anything. That `*` or an empty field stands for "entry, return and every offset", or that
/// `pid$target` names a process, is for the provider to know.
struct ProbeDescription {
  std::string provider;
  std::string module;
  std::string function;
  std::string name;

  /// All four fields with their colons.
  std::string text() const { return provider + ':' + module + ':' + function + ':' + name; }
  bool operator==(const ProbeDescription&) const = default;
};

/// Reads a description. Fewer fields than four end with `last` (dtrace(1M): -P takes Provider, -m Module, -f Function,
/// -n and D programs Name): "malloc:entry" is ::malloc:entry, and under -m "pid1:libc" is pid1:libc::.
/// Fails if it has more fields than end there.
Result<ProbeDescription> parse_probe_description(std::string_view text, ProbeField last = ProbeField::Name);

/// True if the whole of `text` fits the shell pattern. An empty pattern fits only an empty text. Takes at most
/// pattern × text steps, whatever the pattern.
bool glob_matches(std::string_view pattern, std::string_view text);

/// True if the field has a character that makes it a pattern rather than a name.
bool is_glob(std::string_view field);

/// True if a probe with these four names is meant by the description.
bool matches(const ProbeDescription& description, const ProbeDescription& probe);

}  // namespace strut
