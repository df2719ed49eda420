// Code written as hexadecimal digits, for tests of code that reads instructions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace strut::test {

/// "f3 0f 1e fa" as four bytes; blanks are ignored.
inline std::vector<std::byte> code(std::string_view hex) {
  auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10); };
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < hex.size();) {
    if (hex[i] == ' ') {
      i++;
      continue;
    }
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) << 4 | digit(hex[i + 1])));
    i += 2;
  }
  return bytes;
}

}  // namespace strut::test
