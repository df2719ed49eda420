// Demangles the fuzzer's bytes, as C++ or Rust, and reads them as the arguments of a USDT probe.
//
// fuzz: rooms: below-symtab symtab; options: -max_len=512
#include <cstdint>
#include <cstdlib>
#include <string>

#include "symtab/elf/demangle.hpp"
#include "symtab/elf/usdt_arguments.hpp"
#include "tests/fuzz/input.hpp"

using namespace strut;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  constexpr const char* kBeginnings[] = {"", "_Z", "_ZN", "_R"};
  std::string name = kBeginnings[input.take<uint8_t>() % 4];
  name += input.text(size);
  if (demangled(name).size() > 64 * 1024) std::abort();
  for (const UsdtArgument& argument : usdt_arguments(name))
    if (argument.text.size() > name.size()) std::abort();
  return 0;
}
