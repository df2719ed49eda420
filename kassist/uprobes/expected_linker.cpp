#include "kassist/uprobes/expected_linker.hpp"

#include <fstream>
#include <string_view>

#include "symtab/elf/elf_file.hpp"

namespace strut {

namespace {

constexpr int kMaxScripts = 5;  // execve(2): an interpreter may be a script, four times

/// The interpreter of a script; empty: it is none.
std::string interpreter_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("#!")) return {};
  size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
}

std::optional<std::string> linker_of(const ElfFile& file) {
  const Section* section = file.section(".interp");
  if (!section) return std::nullopt;
  std::span<const std::byte> content = file.contents(*section);
  std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

std::optional<std::string> expected_linker(const std::string& program) {
  std::string path = program;
  for (int turn = 0; turn < kMaxScripts; turn++) {
    if (auto file = ElfFile::open(path)) return linker_of(*file);
    path = interpreter_of(path);
    if (path.empty()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace strut
