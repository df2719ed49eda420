#include "libcalls/prototypes/prototype_search.hpp"

#include <utility>

#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/conf_reader.hpp"
#include "libcalls/prototypes/function_table.hpp"

namespace strut {

Result<std::vector<std::string>> PrototypeSearch::add_users(const std::string& path) {
  return read_prototype_file(path, users_, users_libraries_.path());
}

const FunctionDesc* PrototypeSearch::in_systems(std::string_view symbol) {
  if (std::string path = std::exchange(systems_path_, {}); !path.empty())
    systems_libraries_.report(read_prototype_file(path, systems_, systems_libraries_.path()));
  return systems_.find(symbol);
}

const FunctionDesc* PrototypeSearch::of(std::string_view symbol, const CallModule& module, uint64_t address) {
  if (const FunctionDesc* desc = users_libraries_.find(symbol, module)) return desc;
  if (const FunctionDesc* desc = users_.find(symbol)) return desc;
  // Types of arguments alone do not say where Go has them.
  if (module.is_go_function(address)) return &unknown_function();
  const FunctionDesc* ours = find_prototype(symbol);
  bool is_ours = ours && library_of(*ours) == module.names().soname;
  // A function that only has the name of one of a library may be anything, above all a program's own.
  if (!is_ours)
    if (const FunctionDesc* desc = from_debug_information(symbol, module, address)) return desc;
  if (ours) return ours;
  if (const FunctionDesc* desc = systems_libraries_.find(symbol, module)) return desc;
  if (const FunctionDesc* desc = in_systems(symbol)) return desc;
  return &unknown_function();
}

const FunctionDesc* PrototypeSearch::from_debug_information(std::string_view symbol, const CallModule& module,
                                                            uint64_t address) {
  auto [described, is_new] = described_.try_emplace(&module);
  Described& of = described->second;
  if (is_new) of.dwarf = std::make_unique<DwarfPrototypes>(module.file().prototypes(), of.store);
  return of.dwarf->at(address, symbol);
}

}  // namespace strut
