// Walks a stack of the fuzzer's bytes by call frame information of the fuzzer's bytes, in an ELF file around it: what a
// hostile program has in its file, its registers and its stack. No crash, no walk without end, nothing read that is not
// there.
//
// fuzz: rooms: below-symtab symtab ustack
#include <cstdlib>
#include <string>

#include "tests/fuzz/input.hpp"
#include "tests/unit/symtab/frame_file.hpp"
#include "ustack/walk.hpp"

using namespace strut;
using fuzz::Input;
using strut::test::FrameFile;

namespace {

constexpr uint64_t kCode = FrameFile::kCode, kCodeBytes = 0x1000, kBias = 0x10000, kStack = 0x700000;
constexpr size_t kMaxFrames = 256;

/// The rest of the input, at kStack.
class StackBytes final : public Memory {
 public:
  explicit StackBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    if (++reads_ > 100'000) std::abort();  // a walk without end
    uint64_t offset = raw(at) - kStack;
    if (offset >= bytes_.size()) return {0, false};
    size_t count = std::min(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return {count, false};
  }
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, false}; }

 private:
  std::span<const uint8_t> bytes_;
  size_t reads_ = 0;
};

UserRegisters registers_of(Input& input) {
  UserRegisters registers;
  // Mostly near the stack or the code: elsewhere every walk ends at once.
  for (uint64_t& value : registers) value = kStack + input.take<uint16_t>() % 1024;
  registers[kAbiX86_64.instruction_pointer] = kBias + kCode + input.take<uint16_t>() % kCodeBytes;
  if (input.take<uint8_t>() == 0xff) registers[input.take<uint8_t>() % registers.size()] = input.take<uint64_t>();
  return registers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Input input(bytes, size);
  UserRegisters registers = registers_of(input);
  std::string_view frames = input.text(input.take<uint16_t>() % 2048);
  std::string_view header = input.text(input.take<uint16_t>() % 256);
  auto file = ElfFile::over(FrameFile(frames, header).bytes(), "fuzz");
  if (!file) std::abort();
  auto module = std::make_shared<CodeModule>("/fuzz", std::make_shared<ModuleFile>(std::move(*file), "/fuzz", ""),
                                             FrameDetail::Functions, FileComplaint());
  Mapping mapping;
  mapping.start = Addr{kBias};
  mapping.end = Addr{kBias + FrameFile::kFrames};
  CodeMap code;
  code.place(mapping, module);
  StackBytes stack(input.rest());
  Walk walk(code, registers, stack);
  for (size_t frames_seen = 0; frames_seen < kMaxFrames; frames_seen++) {
    StackFrame frame = walk.frame();
    if (!frame.module.empty() && frame.module != "/fuzz") std::abort();
    if (!walk.step()) break;
  }
  return 0;
}
