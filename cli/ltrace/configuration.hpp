// Where ltrace's descriptions of functions come from.
#pragma once

#include <string>
#include <vector>

#include "cli/common/message.hpp"
#include "libcalls/prototypes/prototype_search.hpp"

namespace strut {

/// Prototypes in ltrace.conf(5)'s language. Files for all functions: those of -F, or else ~/.ltrace.conf and
/// /etc/ltrace.conf. Directories with a file for each library: those of -F, then the user's, then the system's.
/// Source: ltrace(1), -F and "Prototype library discovery".
class Configuration {
 public:
  Configuration(PrototypeSearch& prototypes, Messages& messages);

  /// Reads the user's files now, those of libraries when these are seen, and the system's when a function is not known
  /// otherwise. False: a path that was named cannot be read.
  bool read(const std::vector<std::string>& named);

 private:
  using Wrong = Result<std::vector<std::string>>;
  bool take(const Wrong& wrong);
  void search_users_directories(const char* home);
  void search_systems_directories();

  PrototypeSearch& prototypes_;
  Messages& messages_;
};

}  // namespace strut
