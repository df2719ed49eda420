// Where a stripped file's symbols and debug information are kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// Paths at which the debug information of a file may lie, best first: by build-id under /usr/lib/debug and in the
/// cache of debuginfod clients, by .gnu_debuglink beside the file, in its .debug directory and under /usr/lib/debug
/// (gdb's manual, "Separate Debug Files"). `path`: of the file, as its process names it; `root`: in front of absolute
/// paths, for a process in another mount namespace ("/proc/12/root"); empty: ours.
std::vector<std::string> debug_file_candidates(const ElfFile& file, const std::string& path, const std::string& root);

/// The first candidate that belongs to the file: the same build-id, or the checksum that .gnu_debuglink gives.
std::optional<ElfFile> find_debug_file(const ElfFile& file, const std::string& path, const std::string& root);

/// The file that .gnu_debugaltlink names (dwz(1)): the parts that several files' debug information shares. nullopt:
/// there is no such link, or no such file.
std::optional<ElfFile> find_supplementary_file(const ElfFile& file, const std::string& root);

/// .gnu_debugdata: a small ELF file with the names of local functions, xz-compressed. nullopt: there is none, or it is
/// malformed or absurdly large.
std::optional<ElfFile> mini_debug_file(const ElfFile& file);

}  // namespace strut
