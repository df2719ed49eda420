// Files of prototypes in the language of ltrace.conf(5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "libcalls/prototypes/prototype_store.hpp"

namespace strut {

/// Where `import NAME` finds NAME.conf, or NAME: beside the file that imports it, then in these directories.
struct ImportPath {
  std::vector<std::string> directories;
  std::optional<std::string> find(const std::string& name, std::string_view importer) const;
};

/// Adds the descriptions in `text` to `store`. Returns its errors, a line each: "FILE:LINE: reason", nothing escaped. A
/// wrong line is skipped, the others count.
std::vector<std::string> read_prototypes(std::string_view text, std::string_view file, PrototypeStore& store,
                                         const ImportPath& imports = {});

/// Reads a file. Error: it cannot be read, or is larger than a hand-written file (16 MiB).
Result<std::vector<std::string>> read_prototype_file(const std::string& path, PrototypeStore& store,
                                                     const ImportPath& imports = {});

}  // namespace strut
