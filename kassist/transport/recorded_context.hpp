// The files, processes and namespaces that a call's records captured, for the decoder.
#pragma once

#include <vector>

#include "kassist/transport/seen_file.hpp"
#include "kassist/wire/record.hpp"
#include "procfs/live_context.hpp"
#include "trace/request.hpp"

namespace strut {

/// Serves queries from the chunks of one event of one thread. Missing ones are read from the live process, late, and
/// counted.
class RecordedContext final : public CallContext {
 public:
  RecordedContext(Tid tid, const DecodeOptions& options, SocketDetails& sockets)
      : options_(options), sockets_(sockets), live_(live(tid)) {}

  /// A new event begins: forgets all chunks.
  void begin() {
    pieces_.clear();
    results_ = false;
  }
  /// Adds the chunks of a record, which must stay where they are until the next begin().
  void add(RecordView record);
  /// From now on queries see the state at the call's return (decode_exit), not the state before (decode_enter).
  void show_results() { results_ = true; }
  void show_arguments() { results_ = false; }
  /// The thread has this id from now on.
  void move_to(Tid tid) { live_ = live(tid); }

  std::optional<FdTarget> fd_target(int fd, bool details) override;
  std::optional<std::string> comm(int32_t id) override;
  std::optional<int32_t> translate_pid(int32_t id) override;
  std::optional<std::string> namespace_of(int32_t id, const char* kind) override;
  std::optional<std::string> interface_name(uint32_t index) override;
  std::optional<std::string> generic_family(uint16_t number) override;
  std::optional<NetlinkTarget> netlink_socket(int fd) override;

  /// The thread's own comm, where the event's record has it.
  static std::optional<std::string> own_comm(RecordView record);

  /// Questions that were answered late, since the beginning.
  uint64_t late() const { return late_; }

 private:
  struct Piece {
    int64_t at;
    std::span<const std::byte> content;
    wire_u8 kind;
    bool result;  ///< seen when the call returned
  };
  const Piece* find(wire_chunk_kind kind, int64_t at) const;
  std::optional<SeenDetails> details_of_fd(int fd) const;
  std::optional<wire_process> process(int32_t id, bool& seen) const;
  LiveContext live(Tid tid) {
    return LiveContext(tid, options_.comms ? PidfdNames::Learn : PidfdNames::Omit, &sockets_);
  }

  const DecodeOptions& options_;
  SocketDetails& sockets_;
  std::vector<Piece> pieces_;
  LiveContext live_;
  bool results_ = false;
  uint64_t late_ = 0;
};

}  // namespace strut
