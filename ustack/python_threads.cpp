#include "ustack/python_threads.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace strut {

namespace {

constexpr size_t kMaxInterpreters = 1'000, kMaxThreads = 100'000, kMaxFrames = 100'000;
constexpr size_t kPageBytes = 4096;

/// Reads by whole pages: frames lie beside one another.
class Pages {
 public:
  explicit Pages(Memory& memory) : memory_(memory) {}

  /// 0: it cannot be read.
  template <typename T>
  T at(uint64_t address) {
    T value{};
    auto* bytes = reinterpret_cast<std::byte*>(&value);
    for (size_t done = 0; done < sizeof value;) {
      if (!hold((address + done) / kPageBytes)) return T{};
      size_t from = (address + done) % kPageBytes, count = std::min(sizeof value - done, kPageBytes - from);
      std::memcpy(bytes + done, bytes_.data() + from, count);
      done += count;
    }
    return value;
  }

 private:
  bool hold(uint64_t page) {
    if (page == page_) return true;
    bool whole = memory_.read(Addr{page * kPageBytes}, bytes_).bytes == bytes_.size();
    page_ = whole ? page : kNoPage;
    return whole;
  }

  static constexpr uint64_t kNoPage = ~uint64_t{0};
  Memory& memory_;
  uint64_t page_ = kNoPage;
  std::array<std::byte, kPageBytes> bytes_;
};

/// Goes from a thread's innermost frame to its outermost one.
class FrameWalk {
 public:
  FrameWalk(const PythonLayout& layout, Memory& memory) : layout_(layout), pages_(memory) {}

  std::vector<PythonFrame> frames(uint64_t state) {
    cframe_ = layout_.cframe ? word(state + *layout_.cframe) : 0;
    frame_ = word((layout_.cframe ? cframe_ : state) + layout_.current_frame);
    for (size_t count = 0; frame_ != 0 && count < kMaxFrames; count++)
      layout_.entries == PythonLayout::Entries::Shims ? pass_shims() : pass_cframes();
    frames_.resize(ended_);  // The remaining frames have no known C function.
    return std::move(frames_);
  }

 private:
  uint64_t word(uint64_t at) { return pages_.at<uint64_t>(at); }

  void keep() { frames_.push_back({word(frame_ + layout_.code), word(frame_ + layout_.instruction), 0}); }

  void end_entry(uint64_t run_by) {
    for (; ended_ < frames_.size(); ended_++) frames_[ended_].run_by = run_by;
  }

  void pass_shims() {
    if (pages_.at<uint8_t>(frame_ + layout_.owner) == kOwnedByCStack) end_entry(frame_);
    else keep();
    frame_ = word(frame_ + layout_.previous);
  }

  void pass_cframes() {
    keep();
    bool outermost = pages_.at<uint8_t>(frame_ + layout_.owner) != 0;
    if (!outermost) {
      frame_ = word(frame_ + layout_.previous);
      return;
    }
    end_entry(cframe_);
    cframe_ = word(cframe_ + layout_.cframe_previous);
    frame_ = cframe_ != 0 ? word(cframe_ + layout_.current_frame) : 0;
  }

  const PythonLayout& layout_;
  Pages pages_;
  uint64_t cframe_ = 0, frame_ = 0;
  std::vector<PythonFrame> frames_;
  size_t ended_ = 0;  ///< frames with a known run_by
};

}  // namespace

void PythonThreads::refresh(Memory& memory) {
  states_.clear();
  Pages pages(memory);
  auto word = [&](uint64_t at) { return pages.at<uint64_t>(at); };
  uint64_t interpreter = word(raw(runtime_.address) + layout_.interpreters_head);
  for (size_t i = 0; interpreter != 0 && i < kMaxInterpreters; i++) {
    uint64_t state = word(interpreter + layout_.threads_head);
    for (; state != 0 && states_.size() < kMaxThreads; state = word(state + layout_.thread_next))
      if (!states_.emplace(pages.at<int32_t>(state + layout_.native_thread_id), state).second) break;
    interpreter = word(interpreter + layout_.interpreter_next);
  }
}

std::vector<PythonFrame> PythonThreads::frames(int32_t own_tid, Memory& memory) {
  auto known = states_.find(own_tid);
  if (known == states_.end()) return {};
  int32_t now = 0;
  Addr id_at{known->second + layout_.native_thread_id};
  bool read = memory.read(id_at, std::as_writable_bytes(std::span(&now, 1))).bytes == sizeof now;
  return read && now == own_tid ? FrameWalk(layout_, memory).frames(known->second) : std::vector<PythonFrame>();
}

}  // namespace strut
