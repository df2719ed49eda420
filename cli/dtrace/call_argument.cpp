#include "cli/dtrace/call_argument.hpp"

#include <algorithm>
#include <cstring>

#include "dlang/machine/record.hpp"
#include "formatters/common/value_text.hpp"
#include "procfs/remote_memory.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

static_assert(kRegisters == std::size(DCallArgument{}.arguments));

/// One piece of memory; the rest was not seen. Where nothing could be recorded, for a page was not in memory, it is
/// asked of the process, which has run on.
class RecordedMemory final : public Memory {
 public:
  /// `live`: nullptr: no process is read.
  RecordedMemory(uint64_t at, std::string_view bytes, Memory* live) : at_(at), bytes_(bytes), live_(live) {}

  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    uint64_t offset = raw(at) - at_;
    if (bytes_.empty() && live_ != nullptr && offset < kDCallMemoryBytes) {
      ReadOutcome late = live_->read(at, out.first(std::min<size_t>(out.size(), kDCallMemoryBytes - offset)));
      is_late_ = is_late_ || late.bytes != 0;
      return late;
    }
    if (offset >= bytes_.size()) return {0, true};
    size_t count = std::min<size_t>(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return {count, count < out.size()};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override {
    ReadOutcome outcome = read(at, std::as_writable_bytes(out));
    size_t length = strnlen(out.data(), outcome.bytes);
    return length < outcome.bytes ? ReadOutcome{length + 1, false} : outcome;
  }

  /// The bytes may have changed since the event.
  bool is_late() const { return is_late_; }

 private:
  uint64_t at_;
  std::string_view bytes_;
  Memory* live_;
  bool is_late_ = false;
};

class NoContext final : public CallContext {
  std::optional<FdTarget> fd_target(int, bool) override { return std::nullopt; }
  std::optional<std::string> comm(int32_t) override { return std::nullopt; }
  std::optional<int32_t> translate_pid(int32_t) override { return std::nullopt; }
};

/// The call as it was made: its name has other numbers, or none, in other ABIs.
bool set_call(Call& call, const DTrigger::Syscall& of, const DCallArgument& recorded) {
  if (recorded.abi >= kAbiCount) return false;
  auto abi = static_cast<Abi>(recorded.abi);
  const SyscallSlot* slot = find_syscall(abi, of.name);
  if (slot == nullptr) return false;
  set_number(call, abi, slot->nr & ~kX32Bit);
  for (size_t i = 0; of.first + i < kRegisters; i++) call.regs[of.first + i] = recorded.arguments[i];
  return true;
}

}  // namespace

std::string call_argument_text(const DTrigger::Syscall& of, Tid caller, std::string_view recorded) {
  DCallArgument head{};
  if (recorded.size() < sizeof head) return {};
  std::memcpy(&head, recorded.data(), sizeof head);
  uint64_t word = head.index < kRegisters ? head.arguments[head.index] : 0;
  Call call;
  bool is_known = set_call(call, of, head);
  bool replaces_memory = is_known && call.effects().replace_program();
  RemoteMemory live(caller);
  RecordedMemory memory(word, recorded.substr(sizeof head), replaces_memory ? nullptr : &live);
  NoContext around;
  DecodeOptions options;
  DecodedCall decoded;
  TextBuffer text;
  size_t index = of.first + head.index;
  if (is_known) {
    decode_enter(call, {memory, around, options}, decoded);
    if (index < decoded.count) put_value(text, decoded.args[index].value, {});
  }
  if (text.empty()) text.hex(word);
  if (memory.is_late()) put_comment(text, "read late");
  return std::string(text.view());
}

}  // namespace strut
