// Which of all that is known of a function's prototype counts.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcalls/modules/call_module.hpp"
#include "libcalls/prototypes/dwarf_prototypes.hpp"
#include "libcalls/prototypes/prototype_libraries.hpp"
#include "libcalls/prototypes/prototype_store.hpp"

namespace strut {

/// In this order: the user's files; debug information of code that our table does not cover; our table; the
/// distribution's files; debug information of the other code. Files of one library go before those for all. What is
/// wrong with the distribution's files goes where systems_libraries() reports.
class PrototypeSearch {
 public:
  /// Reads a file of the user's. Returns its errors, a line each. Error: it cannot be read.
  Result<std::vector<std::string>> add_users(const std::string& path);
  /// A file of the system's, which is read when a function is first looked for in it: nearly all are in the table.
  void add_systems(std::string path) { systems_path_ = std::move(path); }
  /// Directories with files of one library each, which are read when it is seen.
  PrototypeLibraries& users_libraries() { return users_libraries_; }
  PrototypeLibraries& systems_libraries() { return systems_libraries_; }

  /// Never nullptr: unknown_function() where nothing is known. `address`: of the function's code in the file.
  const FunctionDesc* of(std::string_view symbol, const CallModule& module, uint64_t address);

 private:
  struct Described {
    PrototypeStore store;
    std::unique_ptr<DwarfPrototypes> dwarf;
  };
  const FunctionDesc* in_systems(std::string_view symbol);
  const FunctionDesc* from_debug_information(std::string_view symbol, const CallModule& module, uint64_t address);

  PrototypeLibraries users_libraries_, systems_libraries_;
  PrototypeStore users_, systems_;
  std::string systems_path_;  ///< empty: there is none, or it is read
  std::unordered_map<const CallModule*, Described> described_;
};

}  // namespace strut
