// Where in its sources a module's code comes from: file and line, and the functions that were inlined there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "symtab/dwarf/source_line.hpp"

namespace strut {

class DebugInformation;
class SourcePaths;

/// A function with its body inlined in another's.
struct InlinedCall {
  std::string_view function;  ///< the linkage name, where it has one; empty: unknown
  SourceLine called_from;
};

/// The lines of one module, from the file that has its DWARF: itself, or its debug file. Reads an index of units first,
/// and of a unit only the needed parts. Views live as long as it does. Not for use by several threads at once.
class SourceLines {
 public:
  SourceLines() = default;  ///< nothing is known
  explicit SourceLines(std::shared_ptr<const DebugInformation> debug);

  /// The line of the instruction at (or around) an address of the file. nullopt: not known.
  std::optional<SourceLine> at(uint64_t file_address) const;
  /// The calls that were inlined around an address, the innermost first; at() is a line of the first one's function.
  std::vector<InlinedCall> inlined_at(uint64_t file_address) const;
  /// A line for the user, where strut refused to read lines that were looked for: of which source, and why. Empty: it
  /// did not so far.
  std::string_view unread() const;

 private:
  std::shared_ptr<const DebugInformation> debug_;
  std::shared_ptr<const SourcePaths> paths_;
};

}  // namespace strut
