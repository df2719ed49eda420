// The names by which people ask for C++ and Rust functions: as their language writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strut {

/// "shop::id" of "_ZN4shop2idIlEET_S1_", beside "long shop::id<long>(long)": the whole name, the name without its
/// parameters, and without its return type; and each with std::string and without the default arguments of standard
/// templates. Empty: the name is not mangled.
std::vector<std::string> source_names(std::string_view mangled);

}  // namespace strut
