// Decodes calls with registers, memory, result and options from the fuzzer, every number of every ABI, and writes them
// as strace's text and as JSON.
//
// fuzz: rooms: base syscalls x86 procfs process trace formatters
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "formatters/formats.hpp"
#include "formatters/strace/strace_text.hpp"
#include "syscalls/decoder.hpp"
#include "tests/fuzz/input.hpp"
#include "trace/filter.hpp"

using namespace strut;
using strut::fuzz::Input;

namespace {

constexpr uint64_t kBase = 0x10000;

/// The rest of the input, at kBase; the memory after it is not mapped, or unseen.
class InputMemory : public Memory {
 public:
  InputMemory(std::span<const uint8_t> bytes, bool unseen) : bytes_(bytes), unseen_(unseen) {}
  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    uint64_t from = raw(at) - kBase;
    if (from >= bytes_.size()) return {0, unseen_};
    size_t count = std::min<uint64_t>(out.size(), bytes_.size() - from);
    std::memcpy(out.data(), bytes_.data() + from, count);
    return {count, count < out.size() && unseen_};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override {
    ReadOutcome outcome = read(at, std::as_writable_bytes(out));
    size_t length = strnlen(out.data(), outcome.bytes);
    return length < outcome.bytes ? ReadOutcome{length + 1, false} : outcome;
  }

 private:
  std::span<const uint8_t> bytes_;
  bool unseen_;
};

class InputSurroundings : public CallContext {
 public:
  std::optional<FdTarget> fd_target(int fd, bool) override {
    if (fd & 1) return std::nullopt;
    return FdTarget{"/file", false, {}};
  }
  std::optional<std::string> comm(int32_t id) override { return id & 1 ? std::nullopt : std::optional("comm"); }
  std::optional<int32_t> translate_pid(int32_t id) override { return id ^ 1; }
};

/// Output of which only the bytes' number is kept.
class Counted : public Output {
 public:
  Result<void> write(Tid, std::string_view bytes) override {
    written += bytes.size();
    return {};
  }
  Result<void> flush() override { return {}; }
  Result<void> close(Tid) override { return {}; }
  void gather() override {}
  bool separate() const override { return false; }
  bool immediate() const override { return true; }
  size_t written = 0;
};

/// A style of strace's text for each of the choices that a byte names.
class Styles {
 public:
  Sink& sink(const DecodeOptions& options, uint8_t choice) {
    StraceStyle style;
    style.names = static_cast<NamesAs>(choice % 3);
    style.hex_strings = static_cast<HexStrings>(choice / 3 % 4);
    style.fd_shows = options.fd_targets ? kFdAll : 0;
    style.arg_names = choice & 64;
    style.full = ~options.abbreviate;
    sink_ = make_strace_text(style, std::make_shared<Counted>(), nullptr);
    return *sink_;
  }

 private:
  std::unique_ptr<Sink> sink_;
};

Call call_of(Input& input) {
  Call call;
  call.abi = static_cast<Abi>(input.take<uint8_t>() % kAbiCount);
  std::span<const SyscallSlot> slots = syscalls_of(call.abi);
  const SyscallSlot& slot = slots[input.take<uint16_t>() % slots.size()];
  call.nr = slot.nr;
  call.desc = slot.desc;
  uint8_t small = input.take<uint8_t>();  // which registers are small: addresses near the memory are found sooner
  for (size_t i = 0; i < kRegisters; i++) {
    call.regs[i] = small >> i & 1 ? input.take<uint16_t>() : input.take<uint64_t>();
    if (small & 0x40 && small >> i & 1) call.regs[i] += kBase;
    if (call.abi == Abi::I386) call.regs[i] &= 0xffffffff;
  }
  return call;
}

DecodeOptions options_of(Input& input) {
  DecodeOptions options;
  uint8_t bits = input.take<uint8_t>();
  options.max_string_bytes = bits & 1 ? 32 : input.take<uint16_t>();
  options.fd_targets = options.fd_details = options.comms = options.translate_pids = bits & 2;
  if (bits & 4) options.abbreviate = SyscallSet{};
  if (bits & 8 && bits & 16) options.dereference = SyscallSet{};
  if (bits & 32 && bits & 16 && bits & 1) options.raw = SyscallSet::all();
  if (bits & 64) options.dump_reads.inverted = options.dump_writes.inverted = true;
  return options;
}

// Looks at every byte of every value.
void look_at(const DecodedCall& decoded) {
  if (decoded.count > kMaxDecodedArgs || decoded.ready > decoded.count) std::abort();
  for (size_t i = 0; i < decoded.count; i++) {
    if (!decoded.args[i].type || !decoded.args[i].type->name) std::abort();
    if (!same(decoded.args[i].value, decoded.args[i].value)) std::abort();
  }
  if (!same(decoded.result, decoded.result) || !same(decoded.aux, decoded.aux)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static DecodedCall decoded;  // reused from call to call, as threads reuse theirs
  static Styles styles;
  static std::unique_ptr<Sink> json = find_format("json")->make({std::make_shared<Counted>(), {}});
  Input input(bytes, size);
  DecodeOptions options = options_of(input);
  Call call = call_of(input);
  uint8_t outcome = input.take<uint8_t>(), choice = input.take<uint8_t>();
  int64_t result = outcome & 1 ? input.take<uint16_t>() : input.take<int64_t>();
  InputMemory before(input.rest(), outcome & 2);
  InputSurroundings around;
  decode_enter(call, {before, around, options}, decoded);
  look_at(decoded);
  TraceRequest request;
  request.paths = {"/file"};
  request.resolves_paths = outcome & 4;
  (void)touches(request, call, {before, around, options}, decoded);
  Sink& sink = styles.sink(options, choice);
  Event event;
  event.thread = {Pid{1}, Tid{1}, 1, {}};
  event.abi = call.abi;
  event.what = EnterEvent{&call, &decoded};
  (void)sink.take(event);
  (void)json->take(event);

  call.returned = !(outcome & 4);
  call.error = outcome & 8 ? 1 + static_cast<int>(result & 0x1ff) : 0;
  call.result = call.error ? -call.error : result;
  InputMemory after(outcome & 16 ? input.rest().subspan(input.rest().size() / 2) : input.rest(), outcome & 32);
  decode_exit(call, {after, around, options}, decoded);
  look_at(decoded);
  event.what = ExitEvent{&call, &decoded};
  (void)sink.take(event);
  (void)json->take(event);
  return 0;
}
