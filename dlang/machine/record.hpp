// The record of a firing, from the probe to the output.
//
// A record is a row of actions, each {uint32 action, uint32 bytes of items} and its items, everything 8 bytes aligned,
// numbers as this machine has them:
//   Integer            8 bytes
//   Text, Bytes,
//   CallArgument       uint32 length, uint32 0, the bytes, zeros up to the alignment
//   UserStack          uint64 process, uint64 count, count addresses: where the thread is, where its callers return
//                      to; where a signal interrupted one of them, interrupted_at()
//   KernelStack        the same, process 0; none is marked
//   …Address, …Symbol  uint64 process (0: the kernel), uint64 address
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dlang/compiler/shape.hpp"

namespace strut {

/// Bit 62 differs from bit 63: no address of a process is like that.
constexpr uint64_t kInterruptedBit = uint64_t{1} << 62;
constexpr uint64_t interrupted_at(uint64_t address) { return address ^ kInterruptedBit; }
constexpr bool is_interrupted_at(uint64_t frame) { return ((frame >> 62 ^ frame >> 63) & 1) != 0; }
constexpr uint64_t address_of_frame(uint64_t frame) {
  return is_interrupted_at(frame) ? frame ^ kInterruptedBit : frame;
}

/// The head of a CallArgument; memory at the argument follows, up to kDCallMemoryBytes as far as it was readable.
struct DCallArgument {
  uint64_t index;         ///< which one, as args[] counts
  uint64_t abi;           ///< strut::Abi
  uint64_t arguments[6];  ///< all of them, from arg0 on
};
constexpr uint64_t kDCallMemoryBytes = 512;

/// Writes one record. Keeps its memory from record to record.
class DRecordWriter {
 public:
  void clear() {
    bytes_.clear();
    open_ = kNone;
  }
  bool empty() const { return bytes_.empty(); }
  /// The record so far; its last action is complete.
  std::span<const std::byte> bytes() {
    close();
    return bytes_;
  }

  void begin(uint32_t action);
  void integer(uint64_t value);
  void text(std::string_view bytes);
  void address(uint64_t process, uint64_t address);
  void stack(uint64_t process, std::span<const uint64_t> frames);

 private:
  static constexpr size_t kNone = SIZE_MAX;
  void close();
  std::byte* room(size_t bytes);

  std::vector<std::byte> bytes_;
  size_t open_ = kNone;  ///< where the open action begins
};

/// One item, as a view into its record.
struct DItem {
  DShape shape;
  uint64_t integer = 0;  ///< or the address of a symbol
  uint64_t process = 0;
  std::string_view text;              ///< Text, Bytes, CallArgument
  std::span<const std::byte> frames;  ///< 8 bytes each
  uint64_t frame(size_t index) const;
  size_t frame_count() const { return frames.size() / sizeof(uint64_t); }
};

/// A structure or array of the size of an integer is shown and sorted as one; nullopt: it has another size.
std::optional<int64_t> number_in(std::string_view bytes);

/// Reads items one by one; nullopt where the bytes are not enough, whatever they are.
class DItemReader {
 public:
  explicit DItemReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::optional<DItem> next(const DShape& shape);
  bool ended() const { return rest_.empty(); }
  size_t rest_bytes() const { return rest_.size(); }

 private:
  std::optional<uint64_t> word();
  std::optional<std::span<const std::byte>> take(uint64_t bytes);
  std::span<const std::byte> rest_;
};

/// One action of a record.
struct DRecordedAction {
  uint32_t action = 0;
  std::span<const std::byte> items;
};

/// Reads the actions of a record; nullopt at its end or where it is no record.
class DRecordReader {
 public:
  explicit DRecordReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::optional<DRecordedAction> next();

 private:
  std::span<const std::byte> rest_;
};

}  // namespace strut
