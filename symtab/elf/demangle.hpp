// Names as their language has them: C++ (Itanium ABI) and Rust, both of its schemes.
#pragma once

#include <string>
#include <string_view>

namespace strut {

/// "std::vector<int>::size() const" of "_ZNKSt6vectorIiSaIiEE4sizeEv". A name that is not mangled, or would be absurdly
/// long in readable form, is returned unchanged.
std::string demangled(std::string_view name);

}  // namespace strut
