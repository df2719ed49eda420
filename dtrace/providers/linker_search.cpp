#include "dtrace/providers/linker_search.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <set>

#include <climits>
#include <cstdlib>
#include <elf.h>

#include "base/list_parts.hpp"
#include "procfs/proc_file.hpp"
#include "symtab/elf/dynamic.hpp"
#include "symtab/elf/elf_file.hpp"

namespace strut {
namespace {

constexpr std::string_view kCacheMark = "glibc-ld.so.cache1.1";
constexpr size_t kCacheHeader = 48, kCacheEntry = 24;  // struct cache_file_new and file_entry_new of glibc's format
constexpr uint32_t kMaxCached = 1 << 20;
constexpr int kMaxInterpreters = 4;  // the kernel's own limit of scripts run by scripts
constexpr size_t kLargestCache = 64 << 20;
constexpr std::string_view kFoldersOfX86_64[] = {
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};
constexpr std::string_view kFoldersOfX32[] = {"/lib/x86_64-linux-gnux32", "/usr/lib/x86_64-linux-gnux32", "/libx32",
                                              "/usr/libx32"};
constexpr std::string_view kFoldersOfI386[] = {
    "/lib/i386-linux-gnu", "/usr/lib/i386-linux-gnu", "/lib32", "/usr/lib32", "/lib", "/usr/lib"};
/// Flags of the cache: FLAG_ELF_LIBC6, and FLAG_X8664_LIB64 or FLAG_X8664_LIBX32.
constexpr LibraryKind kKinds[] = {{EM_X86_64, true, 0x0303, kFoldersOfX86_64},
                                  {EM_X86_64, false, 0x0803, kFoldersOfX32},
                                  {EM_386, false, 0x0003, kFoldersOfI386}};

template <typename T>
T number_at(std::string_view bytes, size_t at) {
  T value{};
  if (at <= bytes.size() && bytes.size() - at >= sizeof value) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string text_at(std::string_view bytes, size_t at) {
  if (at >= bytes.size()) return {};
  std::string_view rest = bytes.substr(at);
  return std::string(rest.substr(0, rest.find('\0')));
}

std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) ? std::string(resolved) : std::string();
}

std::string variable(std::span<const std::string> environment, std::string_view name) {
  for (const std::string& entry : environment)
    if (entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return {};
}

std::string folder_of_library(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string with_origin(std::string folder, const std::string& origin) {
  for (std::string_view word : {"${ORIGIN}", "$ORIGIN"})
    for (size_t at; (at = folder.find(word)) != std::string::npos;) folder.replace(at, word.size(), origin);
  return folder;
}

bool is_of(const LibraryKind& kind, const ElfFile& file) {
  return file.machine() == kind.machine && file.is_64() == kind.is_64;
}

/// One search: a needed name is looked up in the linker's order.
class Search {
 public:
  explicit Search(std::span<const std::string> environment)
      : given_(list_parts(variable(environment, "LD_LIBRARY_PATH"), ":;")),
        preloaded_(list_parts(variable(environment, "LD_PRELOAD"), ": ")) {}

  std::vector<std::string> run(const std::string& program) {
    if (auto file = ElfFile::open(program)) kind_ = &library_kind_of(*file);
    add_needed(program, preloaded_);
    for (pending_.push_front(program); !pending_.empty();) {
      std::string path = std::move(pending_.front());
      pending_.pop_front();
      auto file = ElfFile::open(path);
      if (!file) continue;
      add_interpreter(*file);
      DynamicTags tags = dynamic_tags(*file);
      runpath_ = list_parts(tags.runpath, ":");
      add_needed(path, {tags.needed.begin(), tags.needed.end()});
    }
    return std::move(found_);
  }

 private:
  void add_interpreter(const ElfFile& file) {
    const Section* section = file.section(".interp");
    if (!section) return;
    auto bytes = file.contents(*section);
    add(std::string(reinterpret_cast<const char*>(bytes.data()),
                    strnlen(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  }

  void add_needed(const std::string& by, const std::vector<std::string>& names) {
    for (const std::string& name : names) add(name.contains('/') ? name : find(name, folder_of_library(by)));
  }

  void add(const std::string& path) {
    std::string real = real_path(path);
    if (real.empty() || !seen_.insert(real).second) return;
    found_.push_back(real);
    pending_.push_back(real);
  }

  bool is_library(const std::string& path) const {
    auto file = ElfFile::open(path);
    return file && is_of(*kind_, *file);
  }

  std::string find(const std::string& name, const std::string& origin) {
    for (const std::string& folder : given_)
      if (std::string path = folder + '/' + name; is_library(path)) return path;
    for (const std::string& folder : runpath_)
      if (std::string path = with_origin(folder, origin) + '/' + name; is_library(path)) return path;
    if (!cache_) cache_ = linker_cache(*kind_);
    for (const CachedLibrary& library : *cache_)
      if (library.name == name) return library.path;
    for (std::string_view folder : kind_->usual_folders)
      if (std::string path = std::string(folder) + '/' + name; is_library(path)) return path;
    return {};
  }

  const LibraryKind* kind_ = &kind_of_x86_64();
  std::vector<std::string> given_, preloaded_, runpath_, found_;
  std::deque<std::string> pending_;
  std::set<std::string> seen_;
  std::optional<std::vector<CachedLibrary>> cache_;
};

}  // namespace

const LibraryKind& library_kind_of(const ElfFile& program) {
  auto known = std::ranges::find_if(kKinds, [&](const LibraryKind& kind) { return is_of(kind, program); });
  return known != std::end(kKinds) ? *known : kind_of_x86_64();
}

const LibraryKind& kind_of_x86_64() { return kKinds[0]; }

std::vector<CachedLibrary> parse_linker_cache(std::string_view bytes, const LibraryKind& kind) {
  std::vector<CachedLibrary> libraries;
  size_t begin = bytes.find(kCacheMark);
  if (begin == std::string_view::npos) return libraries;
  bytes.remove_prefix(begin);
  uint32_t count = std::min(number_at<uint32_t>(bytes, kCacheMark.size()), kMaxCached);
  for (uint32_t i = 0; i < count; i++) {
    size_t entry = kCacheHeader + i * kCacheEntry;
    if (entry + kCacheEntry > bytes.size()) break;
    if (number_at<uint32_t>(bytes, entry) != kind.cache_flags) continue;
    libraries.push_back(
        {text_at(bytes, number_at<uint32_t>(bytes, entry + 4)), text_at(bytes, number_at<uint32_t>(bytes, entry + 8))});
  }
  return libraries;
}

std::vector<CachedLibrary> linker_cache(const LibraryKind& kind) {
  auto bytes = read_proc_file("/etc/ld.so.cache", kLargestCache);
  return bytes ? parse_linker_cache(*bytes, kind) : std::vector<CachedLibrary>{};
}

std::string program_run_by(const std::string& path) {
  std::string program = real_path(path);
  for (int i = 0; i < kMaxInterpreters && !program.empty(); i++) {
    std::ifstream file(program, std::ios::binary);
    std::string line(256, '\0');
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (!line.starts_with("#!")) return program;
    auto words = list_parts(std::string_view(line).substr(2, line.find('\n') - 2), " \t\n");
    program = words.empty() ? std::string() : real_path(words[0]);
  }
  return program;
}

std::vector<std::string> libraries_of(const std::string& program, std::span<const std::string> environment) {
  return Search(environment).run(program);
}

}  // namespace strut
