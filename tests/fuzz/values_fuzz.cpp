// Builds trees of values from the fuzzer's bytes and writes them in every look of strace's text and as JSON. The text
// must be printable ASCII whatever the target's bytes are, the JSON must be JSON.
//
// fuzz: rooms: base syscalls x86 procfs process trace formatters
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.hpp"
#include "formatters/common/value_text.hpp"
#include "formatters/json/value.hpp"
#include "syscalls/call_context.hpp"
#include "syscalls/types/fs/open_flags.hpp"
#include "syscalls/types/signal/siginfo.hpp"
#include "syscalls/types/socket/socket.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/json_check.hpp"

using namespace strut;

namespace {

constexpr unsigned kDeepest = 12;
constexpr size_t kMaxItems = 12;
constexpr std::string_view kWords[] = {"", "fd", "st_mode", "[1]", "_IOC", "UTIME_NOW", "37 vars"};
const ConstantSet* const kSets[] = {&kOpenFlags, &kAddressFamilies, &kNetlinkProtocols};

class Builder {
 public:
  Builder(fuzz::Input& input, Arena& arena) : input_(input), arena_(arena) {}

  Value value(unsigned depth = 0);

 private:
  template <typename T>
  T take() {
    return input_.take<T>();
  }
  bool coin() { return take<uint8_t>() & 1; }
  std::string_view word() { return kWords[take<uint8_t>() % std::size(kWords)]; }
  const Value* child(unsigned depth) { return arena_.make(value(depth + 1)); }
  size_t count() { return take<uint8_t>() % kMaxItems; }
  std::span<const Value> values(unsigned depth) {
    auto items = arena_.array<Value>(count());
    for (Value& item : items) item = value(depth + 1);
    return items;
  }
  std::span<const FieldValue> fields(unsigned depth) {
    auto items = arena_.array<FieldValue>(count());
    for (FieldValue& item : items) item = {word(), value(depth + 1), coin()};
    return items;
  }
  Text text() {
    auto kind = static_cast<TextKind>(take<uint8_t>() % 4);
    if (kind == TextKind::Bare) return {word(), kind};
    return {input_.text(take<uint8_t>() % 40), kind, coin(), coin()};
  }
  Array array(unsigned depth) {
    Array made{{}, static_cast<ArrayStyle>(take<uint8_t>() % 5), coin(), Addr{coin() ? take<uint64_t>() : 0}};
    if (made.style != ArrayStyle::Indexed) {
      made.items = values(depth);
      return made;
    }
    auto items = arena_.array<Value>(count());
    for (Value& item : items)
      item.is = Struct{.fields = std::span(arena_.make(FieldValue{word(), value(depth + 1), false}), 1)};
    made.items = items;
    return made;
  }
  Fd fd();

  fuzz::Input& input_;
  Arena& arena_;
  std::vector<std::unique_ptr<FdTarget>> targets_;
};

Fd Builder::fd() {
  Fd made{take<int32_t>(), nullptr, coin()};
  if (coin()) return made;
  FdTarget target{std::string(input_.text(take<uint8_t>() % 24)), coin(), {}};
  auto more = [&] { return std::string(input_.text(take<uint8_t>() % 12)); };
  switch (take<uint8_t>() % 6) {
    case 1:
      target.details = DeviceTarget{coin(), take<uint32_t>(), take<uint32_t>(), coin() ? "/dev/pts/3" : ""};
      break;
    case 2: target.details = SocketTarget{take<uint64_t>(), std::string(word()), std::string(word()), more()}; break;
    case 3: target.details = EventfdTarget{take<uint64_t>(), take<int32_t>(), coin()}; break;
    case 4: target.details = PidfdTarget{take<int32_t>(), more()}; break;
    case 5: target.details = SignalfdTarget{take<uint64_t>()}; break;
    default: break;
  }
  targets_.push_back(std::make_unique<FdTarget>(std::move(target)));
  made.target = targets_.back().get();
  return made;
}

Value Builder::value(unsigned depth) {
  Value made;
  uint8_t kind = take<uint8_t>();
  if (depth >= kDeepest || input_.empty()) kind %= 12;
  constexpr uint8_t kWidths[] = {1, 2, 4, 8};
  uint8_t width = kWidths[kind >> 6];
  switch (kind % 22) {
    case 0: made.is = Number{take<uint64_t>(), static_cast<Show>(take<uint8_t>() % 14), width}; break;
    case 1: made.is = Named{take<uint64_t>(), kSets[take<uint8_t>() % std::size(kSets)], width}; break;
    case 2: made.is = Pointer{Addr{take<uint64_t>()}}; break;
    case 3: made.is = Unreadable{Addr{take<uint64_t>()}}; break;
    case 4: made.is = Unseen{Addr{take<uint64_t>()}}; break;
    case 5: made.is = text(); break;
    case 6: made.is = fd(); break;
    case 7: made.is = ProcessId{take<int32_t>(), input_.text(take<uint8_t>() % 20), take<int32_t>()}; break;
    case 8: made.is = SignalSet{take<uint64_t>(), width}; break;
    case 9: made.is = SignalNumber{take<int32_t>()}; break;
    case 10: made.is = WaitStatus{take<int32_t>()}; break;
    case 11: made.is = Inet6{take<std::array<uint8_t, 16>>()}; break;
    case 12:
    case 13: made.is = Struct{fields(depth), coin()}; break;
    case 14:
    case 15: made.is = array(depth); break;
    case 16: made.is = Union{values(depth), take<uint64_t>(), width, coin()}; break;
    case 17: made.is = Change{child(depth), child(depth)}; break;
    case 18: made.is = Form{word(), values(depth), coin() ? child(depth) : nullptr, coin()}; break;
    case 19: made.is = Alias{word(), child(depth)}; break;
    case 20: made.is = Shifted{child(depth), take<uint8_t>()}; break;
    default: made.is = Pending{};
  }
  if (coin() && coin()) made.comment = word(), made.comment_first = coin();
  return made;
}

[[noreturn]] void fail_with(std::string_view text) {
  std::fprintf(stderr, "wrong: %.*s\n", static_cast<int>(text.size()), text.data());
  std::abort();
}

void write_text(const Value& value, const ValueLooks& looks) {
  TextBuffer out;
  put_value(out, value, looks);
  for (char c : out.view())
    if (c < ' ' || c > '~') fail_with(out.view());
}

void write_json(const Value& value) {
  TextBuffer out;
  JsonWriter json(out);
  put_json(json, value);
  if (!fuzz::JsonCheck::valid(out.view())) fail_with(out.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  Arena arena;
  Builder builder(input, arena);
  Value value = builder.value();
  for (int names = 0; names < 3; names++)
    for (int hex = 0; hex < 4; hex++)
      write_text(value, {static_cast<NamesAs>(names), static_cast<HexStrings>(hex),
                         hex % 2 ? uint8_t{kFdAll} : uint8_t{kFdPath}, hex > 1});
  write_json(value);
  return 0;
}
