// Where the dynamic linker looks for libraries (ld.so(8)): which files a program will have mapped that has not started
// yet, and which ones a library's name stands for on this machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

class ElfFile;

/// Which libraries the linker takes for a program.
struct LibraryKind {
  uint16_t machine;      ///< EM_X86_64, EM_386
  bool is_64;            ///< ELFCLASS64
  uint32_t cache_flags;  ///< of its entries in /etc/ld.so.cache
  std::span<const std::string_view> usual_folders;
};
/// That of a program; x86-64 for one that this machine cannot run.
const LibraryKind& library_kind_of(const ElfFile& program);
const LibraryKind& kind_of_x86_64();

/// A library of /etc/ld.so.cache.
struct CachedLibrary {
  std::string name;  ///< "libc.so.6"
  std::string path;
};
/// The results of ldconfig(8). Reads "glibc-ld.so.cache1.1", alone or after the old format; its contents are not
/// trusted.
std::vector<CachedLibrary> parse_linker_cache(std::string_view bytes, const LibraryKind& kind);
std::vector<CachedLibrary> linker_cache(const LibraryKind& kind);

/// The program that execve(2) of a path runs: the interpreter of a script, of its script … Empty: there is none.
std::string program_run_by(const std::string& path);

/// The dynamic linker and the libraries that a program needs, and theirs, by their real paths, each once; LD_PRELOAD
/// and LD_LIBRARY_PATH come from `environment`. Missing libraries are left out.
std::vector<std::string> libraries_of(const std::string& program, std::span<const std::string> environment);

}  // namespace strut
