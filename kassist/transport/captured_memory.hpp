// The memory that a call's records saw, for the decoder.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "kassist/transport/batch.hpp"
#include "kassist/wire/record.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

/// Serves reads from the chunks of one call of one thread. Missing bytes are read from the live process: *late*, since
/// the process has run on. Such a read counts as late if it got bytes; if nothing is mapped there, an early read would
/// have failed, too. Bytes that are in neither, because the process or its memory is gone, are *unseen*.
class CapturedMemory final : public Memory {
 public:
  explicit CapturedMemory(Tid tid) : live_(tid) {}

  /// A new call begins: forgets all chunks.
  void begin();
  /// Adds the memory chunks of a record, which must stay where they are until the next begin(): `batch` holds them.
  void add(RecordView record, const std::shared_ptr<const Batch>& batch);
  /// From now on reads see the memory that the kernel wrote (decode_exit), not the earlier content (decode_enter).
  void show_results() { results_ = true; }

  /// Adds a string that was not in its place any more, with its NUL.
  void supply(uint64_t at, const std::string& text);
  /// Copies those of these bytes that chunks have; returns the number of leading ones.
  size_t captured(uint64_t at, std::span<std::byte> out) const { return from_pieces(at, out); }

  /// The return's information about memory that was missed.
  enum class Missed : uint8_t {
    Unknown,   ///< it may be there
    Faulted,   ///< EFAULT: the kernel did not find it either
    Replaced,  ///< execve succeeded: it is no more
  };
  void settle(Missed missed) { missed_ = missed; }

  /// The thread has this id from now on, or other memory (execve).
  void move_to(Tid tid) { live_.move_to(tid); }

  ReadOutcome read(Addr at, std::span<std::byte> out) override;
  ReadOutcome read_string(Addr at, std::span<char> out) override;

  /// Reads that were answered late, since the beginning.
  uint64_t late() const { return late_; }

 private:
  struct Piece {
    uint64_t at;
    std::span<const std::byte> bytes;
    uint64_t asked;  ///< bytes that were to be copied
    bool result;     ///< seen when the call returned
    bool missed;     ///< the missing part of `asked` was not there
  };
  const Piece* piece_at(uint64_t at) const;
  bool missed_at(uint64_t at) const;
  size_t from_pieces(uint64_t at, std::span<std::byte> out) const;
  /// Completes a read of which `done` bytes were in chunks.
  template <typename Read>
  ReadOutcome completed(uint64_t at, size_t done, size_t wanted, Read read);

  std::vector<Piece> pieces_;
  std::vector<std::shared_ptr<const Batch>> batches_;
  std::deque<std::string> supplied_;
  RemoteMemory live_;
  bool results_ = false;
  Missed missed_ = Missed::Unknown;
  uint64_t late_ = 0;
};

}  // namespace strut
