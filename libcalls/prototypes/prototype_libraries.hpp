// Files of prototypes that belong to one library each: SONAME.conf, of ltrace(1)'s "Prototype library discovery".
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcalls/modules/call_module.hpp"
#include "libcalls/prototypes/conf_reader.hpp"

namespace strut {

/// Finds a library's file when its first function is asked for. Names that are tried for libc.so.6: libc.so.6.conf,
/// libc.so.conf; for a program and a library without a soname: its file's name.
class PrototypeLibraries {
 public:
  /// What is wrong with a file, a line each.
  using Report = std::function<void(const std::string&)>;

  void search_in(std::string directory) { path_.directories.push_back(std::move(directory)); }
  /// Errors go nowhere until then.
  void report_to(Report report) { report_ = std::move(report); }
  void report(const Result<std::vector<std::string>>& wrong) const;
  const ImportPath& path() const { return path_; }

  /// The function as the module's own file has it, else as another one that was read; nullptr: in none.
  const FunctionDesc* find(std::string_view symbol, const CallModule& module);

 private:
  const PrototypeStore* of(const CallModule& module);
  const PrototypeStore* read(const std::string& path);

  ImportPath path_;
  Report report_;
  std::unordered_map<const CallModule*, const PrototypeStore*> by_module_;
  std::map<std::string, PrototypeStore> files_;  ///< by path
};

/// The names of files that may describe a library, the best first, without ".conf".
std::vector<std::string> prototype_file_names(std::string_view library);

}  // namespace strut
