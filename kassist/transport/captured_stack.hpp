// The user stack that an event's record saw.
#pragma once

#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "kassist/transport/order.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// Registers, and the memory from the stack pointer up; nothing else can be read.
class CapturedStack final : public Memory {
 public:
  /// nullopt: the event has none. The entry's batches must outlive it.
  static std::optional<CapturedStack> of(const Order::Entry& entry);

  const UserRegisters& registers() const { return registers_; }
  /// Whether a read wanted bytes of the stack, as far as that is known, that were not captured.
  bool fell_short() const { return fell_short_; }

  ReadOutcome read(Addr at, std::span<std::byte> out) override;
  /// There are no strings on a stack that an unwinder reads.
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, true}; }

 private:
  CapturedStack() = default;
  void add(RecordView record);
  bool is_of_stack(uint64_t at) const;

  struct Piece {
    uint64_t at;
    std::span<const std::byte> bytes;
  };
  struct Extent {
    uint64_t begin, end;  ///< up to the end of the stack, or the end of the captured part
    bool goes_on;         ///< there
  };
  UserRegisters registers_{};
  std::vector<Extent> extents_;  ///< the stack's, and those of the one that a handler on it interrupted
  bool has_registers_ = false;
  bool fell_short_ = false;
  std::vector<Piece> pieces_;  ///< ascending; gaps were not present
};

}  // namespace strut
