// A bound that libdw does not have: line tables that take much memory for few bytes. Private to symtab.
#pragma once

#include <string_view>

#include "symtab/dwarf/die.hpp"

namespace strut {

/// Why libdw may not read the line table of a unit, given by its root ("its paths are longer than …"); empty: it may.
/// libdw keeps about 120 bytes for each byte of the table, and of each file its whole path, however many files share a
/// directory.
std::string_view line_table_obstacle(const Die& root);

}  // namespace strut
