// Memory of a process that runs on: the part of a stack that was copied while its thread was stopped, and live memory
// for all else.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "base/memory.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

class StackMemory final : public Memory {
 public:
  /// Both outlive this. `copy` is memory from `at` on.
  StackMemory(Addr at, std::span<const std::byte> copy, RemoteMemory& live) : at_(at), copy_(copy), live_(live) {}

  ReadOutcome read(Addr from, std::span<std::byte> out) override {
    uint64_t offset = raw(from) - raw(at_);
    size_t copied = offset < copy_.size() ? std::min(out.size(), static_cast<size_t>(copy_.size() - offset)) : 0;
    if (copied != 0) std::memcpy(out.data(), copy_.data() + offset, copied);
    if (copied == out.size()) return {copied, false};
    return {copied + live_.read(from + copied, out.subspan(copied)).bytes, false};
  }
  ReadOutcome read_string(Addr from, std::span<char> out) override { return live_.read_string(from, out); }

 private:
  Addr at_;
  std::span<const std::byte> copy_;
  RemoteMemory& live_;
};

}  // namespace strut
