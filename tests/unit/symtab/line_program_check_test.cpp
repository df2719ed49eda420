// Line tables that libdw may read, and those that would take it much memory: written by the test.
#include "symtab/dwarf/line_program_check.hpp"

#include <array>
#include <string>

#include <doctest/doctest.h>

#include "tests/fuzz/sections_file.hpp"

namespace strut::test {
namespace {

std::string uleb(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes += static_cast<char>(value);
}

template <typename T>
std::string raw_bytes(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string with_length(const std::string& bytes) { return raw_bytes(static_cast<uint32_t>(bytes.size())) + bytes; }

/// A unit's header, and its root, which has a line table at 0.
const std::string kInfo =
    with_length(raw_bytes<uint16_t>(4) + raw_bytes<uint32_t>(0) + "\x08" + uleb(1) + raw_bytes<uint32_t>(0));
const std::string kAbbreviations = uleb(1) + uleb(DW_TAG_compile_unit) + raw_bytes<uint8_t>(0) + uleb(DW_AT_stmt_list) +
                                   uleb(DW_FORM_sec_offset) + std::string(3, '\0');

/// The header's fields between its length and its tables.
const std::string kFields("\x01\x01\x01\xfb\x0e\x0d\0\x01\x01\x01\x01\0\0\0\x01\0\0\x01", 18);

std::string table(uint16_t version, const std::string& paths, const std::string& program = {}) {
  std::string head = kFields + paths;
  std::string sizes = version >= 5 ? std::string("\x08\0", 2) : std::string();
  return with_length(raw_bytes(version) + sizes + raw_bytes(static_cast<uint32_t>(head.size())) + head + program);
}

/// Directories and files of version 4: one directory, and files in it.
std::string old_paths(size_t directory_bytes, size_t files) {
  std::string paths = std::string(directory_bytes, 'd') + std::string(2, '\0');
  for (size_t i = 0; i < files; i++) paths += std::string("f\0\x01\0\0", 5);
  return paths + '\0';
}

/// For version 5: names in .debug_line_str or in a given form, numbers of directories.
std::string new_paths(size_t files, uint64_t form = DW_FORM_line_strp) {
  std::string name = raw_bytes<uint32_t>(0);
  std::string paths = "\x01" + uleb(DW_LNCT_path) + uleb(form) + uleb(1) + name;
  paths += "\x02" + uleb(DW_LNCT_path) + uleb(form) + uleb(DW_LNCT_directory_index) + uleb(DW_FORM_udata) + uleb(files);
  for (size_t i = 0; i < files; i++) paths += name + uleb(0);
  return paths;
}

std::string obstacle_of(const std::string& lines, const std::string& strings = "a") {
  constexpr std::array<std::string_view, 4> kNames = {".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str"};
  std::string ended = strings + '\0';
  std::array<std::string_view, 4> contents = {kInfo, kAbbreviations, lines, ended};
  auto file = ElfFile::over(fuzz::elf_with(kNames, contents), "test");
  REQUIRE(file);
  std::unique_ptr<DwarfFile> dwarf = DwarfFile::of(*file);
  REQUIRE(dwarf);
  std::vector<Unit> units = dwarf->units();
  REQUIRE(units.size() == 1);
  return std::string(line_table_obstacle(units[0].root));
}

}  // namespace

TEST_CASE("line table check: what compilers write is read") {
  CHECK(obstacle_of(table(4, old_paths(100, 2000))).empty());
  CHECK(obstacle_of(table(5, new_paths(2000)), std::string(100, 'd')).empty());
}

TEST_CASE("line table check: few bytes that stand for very long paths are not") {
  const std::string long_paths = "the paths in its line table are longer than 128 MB";
  CHECK(obstacle_of(table(4, old_paths(50'000, 10'000))) == long_paths);
  CHECK(obstacle_of(table(5, new_paths(10'000)), std::string(50'000, 'd')) == long_paths);
  std::string defines;
  for (size_t i = 0; i < 10'000; i++)
    defines += std::string(
        "\0\x06\x03"
        "f\0\x01\0\0",
        8);
  CHECK(obstacle_of(table(4, old_paths(50'000, 0), defines)) == long_paths);
}

TEST_CASE("line table check: very long programs and forms that no compiler writes are not") {
  CHECK(obstacle_of(table(4, old_paths(1, 1), std::string(5 << 20, '\x14'))) == "its line table is longer than 4 MB");
  CHECK(obstacle_of(table(5, new_paths(1, DW_FORM_strx))) == "its line table has a form that no compiler writes");
}

}  // namespace strut::test
