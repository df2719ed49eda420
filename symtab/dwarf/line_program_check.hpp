// A bound that libdw does not have: line tables that take much memory for few bytes. Private to symtab.
#pragma once

#include "symtab/dwarf/die.hpp"

namespace strut {

/// Whether libdw may read the line table of a unit, by its root. libdw keeps about 120 bytes for each byte of the
/// program, and of each file its whole path, however many files share a directory. False: the program is longer than 4
/// MB, the paths together are longer than 128 MB, or their table has a form that no compiler writes.
bool line_table_is_bounded(const Die& root);

}  // namespace strut
