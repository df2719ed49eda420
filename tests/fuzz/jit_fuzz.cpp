// Reads the fuzzer's bytes as a perf map or a jitdump file.
//
// fuzz: rooms: below-symtab symtab; options: -max_len=2048
#include <cstdint>
#include <cstdlib>

#include "symtab/process/jit_symbols.hpp"
#include "tests/fuzz/input.hpp"

using namespace strut;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  uint8_t choice = input.take<uint8_t>();
  auto address = input.take<uint64_t>();
  std::string_view text = input.text(size);
  JitSymbols symbols;
  if (choice & 1) symbols.read_jitdump(std::as_bytes(std::span(text)));
  if (choice & 2) symbols.read_perf_map(text);
  if (symbols.size() > size) std::abort();
  if (auto found = symbols.at(Addr{address}); found && (found->name.empty() || found->offset > address)) std::abort();
  return 0;
}
