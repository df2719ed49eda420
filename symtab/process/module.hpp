// Modules: the files that a process's code comes from, each with its symbols, and where they are mapped.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "symtab/dwarf/prototypes.hpp"
#include "symtab/dwarf/source_lines.hpp"
#include "symtab/elf/function_bounds.hpp"
#include "symtab/elf/plt.hpp"
#include "symtab/elf/symbol_table.hpp"

namespace strut {

/// One ELF file with all sources of names for its addresses. Addresses are the file's own. Reads each source when it is
/// needed; shared by all processes that map the file.
class ModuleFile {
 public:
  /// `path`: how the process names it; `root`: as in debug_file_candidates.
  ModuleFile(ElfFile file, std::string path, std::string root)
      : file_(std::move(file)), path_(std::move(path)), root_(std::move(root)) {}
  ModuleFile(const ModuleFile&) = delete;
  ModuleFile& operator=(const ModuleFile&) = delete;

  const ElfFile& elf() const { return file_; }
  const std::string& path() const { return path_; }
  /// The separate debug file; nullptr: none was found.
  const ElfFile* debug_file() const;
  /// Only exported symbols have names here: there is no .symtab, no debug file and no .gnu_debugdata.
  bool is_stripped() const;
  /// For the file, its debug file and its .gnu_debugdata.
  const SymbolTable& symbols() const;
  /// Only those of the debug file, or if there is none of the file's own .symtab, or else of .dynsym: as in libunwind
  /// and strace(1) -k.
  const SymbolTable& fullest_symbols() const;
  const std::vector<GotSlot>& got() const;
  const std::vector<PltStub>& plt() const;
  /// The stub that contains an address; nullptr: none. Relocations are read only if it lies in a section of stubs.
  const PltStub* stub_at(uint64_t address) const;
  /// For its slot's symbol; for an IFUNC without one (in a static program) the symbol of its resolver. Empty: neither
  /// is known.
  std::string_view name_of(const PltStub& stub) const { return name_of(stub.name, stub.resolver); }
  std::string_view name_of(const GotSlot& slot) const { return name_of(slot.name, slot.resolver); }
  /// From the file if it has DWARF, else from its debug file; nullptr: there is none..
  std::shared_ptr<const DebugInformation> debug_information() const;
  /// From the same file.
  const SourceLines& lines() const;
  /// From the same file.
  const Prototypes& prototypes() const;
  /// Files of split debug information (-gsplit-dwarf) that were looked for in vain so far, as they are named.
  std::span<const std::string> missing_split_files() const;
  /// As SourceLines::unread(), if lines were looked for.
  std::string_view unread_lines() const { return lines_ ? lines_->unread() : std::string_view(); }
  /// Functions by .eh_frame.
  const FunctionBounds& bounds() const { return bounds_; }

 private:
  std::string_view name_of(std::string_view name, uint64_t resolver) const;

  ElfFile file_;
  std::string path_, root_;
  mutable std::optional<std::optional<ElfFile>> debug_, mini_, supplementary_;
  mutable std::optional<std::shared_ptr<const DebugInformation>> debug_information_;
  mutable std::optional<SourceLines> lines_;
  mutable std::optional<Prototypes> prototypes_;
  FunctionBounds bounds_{file_};
  mutable std::optional<SymbolTable> symbols_, fullest_symbols_;
  mutable std::optional<std::vector<GotSlot>> got_;
  mutable std::optional<std::vector<PltStub>> plt_;
};

/// A file as one process has it mapped.
struct Module {
  std::string path;  ///< as /proc/PID/maps has it, without " (deleted)"; "[vdso]"
  bool deleted = false;
  Addr start{}, end{};                     ///< from its first mapping to the end of its last one
  uint64_t bias = 0;                       ///< address in the process minus address in the file
  std::shared_ptr<const ModuleFile> file;  ///< nullptr: it cannot be read, or is no ELF file

  /// "libc.so.6" of "/lib/x86_64-linux-gnu/libc.so.6".
  std::string_view name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
  /// By its path, its file's name, or a library's name up to ".so" ("libc" of libc.so.6 and libc-2.31.so).
  bool is_called(std::string_view name) const;
};

/// The names for an address of a process.
struct Location {
  const Module* module = nullptr;  ///< nullptr: no module has it
  uint64_t file_address = 0;       ///< in the module's file
  std::string_view name;  ///< mangled; of a PLT stub its function's; without a module a JIT's; empty: not known
  bool is_stub = false;   ///< name@plt
  uint64_t offset = 0;    ///< bytes from the symbol's beginning
};

/// The names for an address of a module's file; the module must have one.
Location locate_in(const Module& module, uint64_t file_address);

}  // namespace strut
