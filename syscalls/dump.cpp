#include "syscalls/dump.hpp"

#include <algorithm>
#include <string_view>

namespace strut {

namespace {

constexpr size_t kMaxPieces = 1024;  // UIO_MAXIOV of <linux/uio.h>: the limit of one call

/// Collects the pieces of one call.
class Collector {
 public:
  explicit Collector(Decoder& decoder) : decoder_(decoder), pieces_(decoder.arena().array<Dump>(kFirstPieces)) {}

  void buffer(Addr at, uint64_t count) {
    std::optional<std::string_view> bytes = count ? decoder_.all_bytes(at, count) : std::nullopt;
    if (bytes) add({Dump::Of::Call, 0, count, *bytes});
  }

  // The kernel fills and empties buffers in turn, so the first that got nothing is the last that counts.
  void vector(Addr at, uint64_t buffers, uint64_t moved) {
    size_t word = pointer_bytes(decoder_.abi());
    if (buffers > kMaxPieces || !decoder_.all_bytes(at, buffers * 2 * word)) return;
    for (uint32_t i = 0; i < buffers; i++, at = at + 2 * word) {
      uint64_t base = decoder_.read_number(at, Width::Long).value_or(0);
      uint64_t count = std::min(decoder_.read_number(at + word, Width::Long).value_or(0), moved);
      if (count == 0) return;
      add({Dump::Of::Buffer, i, count, decoder_.all_bytes(Addr{base}, count).value_or(std::string_view{})});
      moved -= count;
    }
  }

  void message(Addr at, uint64_t moved) {
    if (std::optional<Vector> held = vector_of(at)) vector(held->at, held->buffers, moved);
  }

  void messages(Addr at, uint64_t count) {
    size_t header = 7 * pointer_bytes(decoder_.abi()), step = 8 * pointer_bytes(decoder_.abi());
    count = std::min<uint64_t>(count, kMaxPieces);
    for (uint32_t i = 0; i < count; i++, at = at + step) {
      std::optional<Vector> held = vector_of(at);
      std::optional<uint64_t> moved = decoder_.read_number(at + header, Width::B4);
      if (!held || !moved) return;
      add({Dump::Of::Message, i, held->buffers, {}});
      vector(held->at, held->buffers, *moved);
    }
  }

  std::span<const Dump> pieces() const { return pieces_.first(count_); }

 private:
  static constexpr size_t kFirstPieces = 8;
  struct Vector {
    Addr at;
    uint64_t buffers;
  };

  // msg_iov and msg_iovlen stand behind msg_name (a pointer) and msg_namelen (an int padded to a word).
  std::optional<Vector> vector_of(Addr message) {
    size_t word = pointer_bytes(decoder_.abi());
    std::optional<uint64_t> at = decoder_.read_number(message + 2 * word, Width::Long);
    std::optional<uint64_t> buffers = decoder_.read_number(message + 3 * word, Width::Long);
    if (!at || !buffers) return std::nullopt;
    return Vector{Addr{*at}, *buffers};
  }

  void add(const Dump& piece) {
    if (count_ == pieces_.size()) {
      std::span<Dump> larger = decoder_.arena().array<Dump>(count_ * 2);
      std::copy(pieces_.begin(), pieces_.end(), larger.begin());
      pieces_ = larger;
    }
    pieces_[count_++] = piece;
  }

  Decoder& decoder_;
  std::span<Dump> pieces_;
  size_t count_ = 0;
};

void collect(Collector& collector, const Call& call, const Transfer& transfer) {
  uint64_t moved = call.error == 0 && call.result > 0 ? static_cast<uint64_t>(call.result) : 0;
  bool reads = transfer.way == Transfer::Way::Read;
  Addr at{call.regs[1]};
  switch (transfer.shape) {
    case Transfer::Shape::Buffer: return collector.buffer(at, reads ? moved : call.regs[2]);
    case Transfer::Shape::Vector: return collector.vector(at, call.regs[2], reads ? moved : ~0ull);
    case Transfer::Shape::Message: return collector.message(at, reads ? moved : ~0ull);
    case Transfer::Shape::Messages: return collector.messages(at, moved);
  }
}

const FdChoice& wanted_of(const DecodeOptions& options, const Transfer& transfer) {
  return transfer.way == Transfer::Way::Read ? options.dump_reads : options.dump_writes;
}

}  // namespace

bool may_dump(const SyscallDesc& desc, const DecodeOptions& options) {
  const Transfer& transfer = desc.effects.transfer;
  return transfer.way != Transfer::Way::Nothing && !wanted_of(options, transfer).none();
}

std::span<const Dump> dumps_of(Decoder& decoder) {
  const Call& call = decoder.call();
  const Transfer& transfer = call.effects().transfer;
  if (transfer.way == Transfer::Way::Nothing) return {};
  if (!wanted_of(decoder.options(), transfer).contains(static_cast<int>(call.regs[0]))) return {};
  Collector collector(decoder);
  collect(collector, call, transfer);
  return collector.pieces();
}

}  // namespace strut
