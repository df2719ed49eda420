#include "formatters/common/readable_names.hpp"

#include <cstdlib>

#include <cxxabi.h>

namespace strut {

std::string_view ReadableNames::of(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return mangled;
  auto [known, is_new] = known_.try_emplace(mangled);
  if (is_new) {
    int status = -1;
    char* name = abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status);
    known->second = status == 0 ? std::string_view(name) : mangled;
    std::free(name);
  }
  return known->second;
}

}  // namespace strut
