// Reads the fuzzer's bytes as a file of prototypes, and calls every function in it on memory that holds the same bytes.
//
// fuzz: rooms: base syscalls x86 procfs process trace symtab pid-provider libcalls formatters; options: -max_len=2048
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formatters/ltrace/value.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/conf_reader.hpp"
#include "tests/fuzz/input.hpp"

using namespace strut;

namespace {

/// The input over and over, from address 0 on: whatever points anywhere points to something.
class RepeatedMemory final : public Memory {
 public:
  explicit RepeatedMemory(std::string_view bytes) : bytes_(bytes) {}
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    if (bytes_.empty()) return {};
    for (size_t i = 0; i < out.size(); i++) out[i] = static_cast<std::byte>(bytes_[(raw(at) + i) % bytes_.size()]);
    return {out.size(), false};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override {
    read(at, std::as_writable_bytes(out));
    for (size_t i = 0; i < out.size(); i++)
      if (out[i] == '\0') return {i + 1, false};
    return {bytes_.empty() ? 0 : out.size(), false};
  }

 private:
  std::string_view bytes_;
};

struct NoSurroundings final : CallContext {
  std::optional<FdTarget> fd_target(int, bool) override { return std::nullopt; }
  std::optional<std::string> comm(int32_t) override { return std::nullopt; }
  std::optional<int32_t> translate_pid(int32_t) override { return std::nullopt; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  EntryRegisters entry;
  for (uint64_t& value : entry.integers) value = input.take<uint16_t>();
  entry.has_floatings = input.take<uint8_t>() & 1;
  ReturnRegisters result{input.take<uint16_t>(), 0, {}, entry.has_floatings};
  std::string_view text = input.text(size);
  PrototypeStore store;
  std::vector<std::string> errors = read_prototypes(text, "conf", store);
  if (errors.size() > 101) std::abort();
  RepeatedMemory memory(text);
  NoSurroundings around;
  DecodeOptions options;
  options.max_items = 4;
  DecodedCall decoded;
  TextBuffer out;
  // Names are whatever stands before a parenthesis.
  for (size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    size_t begin = text.find_last_of(" \t\n*)", at == 0 ? 0 : at - 1);
    std::string_view name = text.substr(begin == std::string_view::npos ? 0 : begin + 1);
    FunctionCall call;
    call.desc = store.find(name.substr(0, name.find('(')));
    if (call.desc == nullptr) continue;
    decode_entry(call, entry, {memory, around, options}, decoded);
    decode_return(call, result, 0, {memory, around, options}, decoded);
    if (decoded.count > kMaxDecodedArgs) std::abort();
    out.clear();
    for (size_t i = 0; i < decoded.count; i++) put_ltrace_value(out, decoded.args[i].value, options.max_string_bytes);
    put_ltrace_value(out, decoded.result, options.max_string_bytes);
  }
  return 0;
}
