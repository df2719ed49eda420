#include "libcalls/prototypes/prototype_libraries.hpp"

#include <unistd.h>

namespace strut {

std::vector<std::string> prototype_file_names(std::string_view library) {
  constexpr std::string_view kEnd = ".so";
  std::vector<std::string> names = {std::string(library)};
  while (library.find(".so.") != std::string_view::npos && !library.ends_with(kEnd)) {
    library = library.substr(0, library.rfind('.'));
    names.emplace_back(library);
  }
  return names;
}

const FunctionDesc* PrototypeLibraries::find(std::string_view symbol, const CallModule& module) {
  if (path_.directories.empty()) return nullptr;
  const PrototypeStore* own = of(module);
  if (const FunctionDesc* desc = own ? own->find(symbol) : nullptr) return desc;
  for (const auto& [path, file] : files_)
    if (const FunctionDesc* desc = file.find(symbol)) return desc;
  return nullptr;
}

const PrototypeStore* PrototypeLibraries::of(const CallModule& module) {
  auto [found, is_new] = by_module_.try_emplace(&module, nullptr);
  if (!is_new) return found->second;
  FilteredModule known = module.names();
  std::string_view library = known.soname;
  if (library.empty() || known.is_main) library = known.path.substr(known.path.rfind('/') + 1);
  for (const std::string& name : prototype_file_names(library))
    for (const std::string& directory : path_.directories)
      if (std::string path = directory + "/" + name + ".conf"; ::access(path.c_str(), R_OK) == 0)
        return found->second = read(path);
  return nullptr;
}

const PrototypeStore* PrototypeLibraries::read(const std::string& path) {
  auto [file, is_new] = files_.try_emplace(path);
  if (!is_new) return &file->second;
  report(read_prototype_file(path, file->second, path_));
  return &file->second;
}

void PrototypeLibraries::report(const Result<std::vector<std::string>>& wrong) const {
  if (!report_) return;
  if (!wrong) return report_(describe(wrong.error()));
  for (const std::string& line : *wrong) report_(line);
}

}  // namespace strut
