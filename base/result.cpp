#include "base/result.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace strut {

std::string describe(const Error& error) {
  std::string line = error.op;
  auto append = [&line](std::string_view separator, std::string_view part) {
    if (part.empty()) return;
    if (!line.empty()) line += separator;
    line += part;
  };
  append(": ", error.subject);
  append(": ", !error.why.empty() ? error.why : error.code ? std::string(strerror(error.code)) : std::string());
  append(". ", error.advice);
  return line;
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "strut: bug: %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace strut
