// The code of a line of a source: the other way round than SourceLines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

class DebugInformation;

/// The lines that are looked for.
struct LineQuery {
  std::function<bool(std::string_view path)> is_file;
  std::function<bool(uint32_t line)> is_line;
  std::function<bool(uint64_t address)> is_code;  ///< false: code that the linker left out
  uint32_t number = 0;                            ///< for LinesFound::below and above; 0: they are not looked for
};

/// An instruction where a line begins.
struct LineStart {
  uint64_t address = 0;  ///< for the file
  uint32_t line = 0;
  std::string path;
};

struct LinesFound {
  std::vector<LineStart> starts;  ///< ascending by address
  bool has_file = false;          ///< a file that fits has code
  uint32_t below = 0, above = 0;  ///< the closest lines with code in those files; 0: there is none
};

/// Where lines begin, by the line tables (DWARF 5, 6.2): at rows that are beginnings of statements (is_stmt) and follow
/// a row of another line. Of several in one block, those are taken that have its lowest column: the condition and the
/// step of a loop's head are no beginnings of its line. Each inlined body is a block of its own, and each copy that the
/// compiler made of the line's first statement counts. Of a table without any other rows (gcc -O0, -g1) a block's first
/// beginning is taken: there a line that is continued looks like a copy. Reads the line tables of all units. `debug`
/// nullptr: there is none. Not for several threads at once.
LinesFound find_lines(const DebugInformation* debug, const LineQuery& query);

}  // namespace strut
