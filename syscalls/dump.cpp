#include "syscalls/dump.hpp"

#include <algorithm>
#include <string_view>

namespace strut {

namespace {

enum class Way : uint8_t { Read, Write };
enum class Shape : uint8_t {
  Buffer,    ///< (fd, buf, count)
  Vector,    ///< (fd, iov, iovcnt)
  Message,   ///< (fd, msghdr)
  Messages,  ///< (fd, mmsghdr, count)
};
struct Traffic {
  const char* name;
  Way way;
  Shape shape;
};

constexpr Traffic kTraffic[] = {
    {"read", Way::Read, Shape::Buffer},
    {"pread64", Way::Read, Shape::Buffer},
    {"recv", Way::Read, Shape::Buffer},
    {"recvfrom", Way::Read, Shape::Buffer},
    {"mq_timedreceive", Way::Read, Shape::Buffer},
    {"mq_timedreceive_time64", Way::Read, Shape::Buffer},
    {"write", Way::Write, Shape::Buffer},
    {"pwrite64", Way::Write, Shape::Buffer},
    {"send", Way::Write, Shape::Buffer},
    {"sendto", Way::Write, Shape::Buffer},
    {"mq_timedsend", Way::Write, Shape::Buffer},
    {"mq_timedsend_time64", Way::Write, Shape::Buffer},
    {"readv", Way::Read, Shape::Vector},
    {"preadv", Way::Read, Shape::Vector},
    {"preadv2", Way::Read, Shape::Vector},
    {"writev", Way::Write, Shape::Vector},
    {"pwritev", Way::Write, Shape::Vector},
    {"pwritev2", Way::Write, Shape::Vector},
    {"vmsplice", Way::Write, Shape::Vector},
    {"recvmsg", Way::Read, Shape::Message},
    {"sendmsg", Way::Write, Shape::Message},
    {"recvmmsg", Way::Read, Shape::Messages},
    {"recvmmsg_time64", Way::Read, Shape::Messages},
    {"sendmmsg", Way::Write, Shape::Messages},
};

constexpr size_t kMaxPieces = 1024;  // UIO_MAXIOV of <linux/uio.h>: what one call can move

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

const Traffic* traffic_of(const SyscallDesc& desc) {
  auto found = std::find_if(std::begin(kTraffic), std::end(kTraffic),
                            [&](const Traffic& traffic) { return std::string_view(traffic.name) == desc.name; });
  return found == std::end(kTraffic) ? nullptr : found;
}

void collect(Collector& collector, const Call& call, const Traffic& traffic) {
  uint64_t moved = call.error == 0 && call.result > 0 ? static_cast<uint64_t>(call.result) : 0;
  bool reads = traffic.way == Way::Read;
  Addr at{call.regs[1]};
  switch (traffic.shape) {
    case Shape::Buffer: return collector.buffer(at, reads ? moved : call.regs[2]);
    case Shape::Vector: return collector.vector(at, call.regs[2], reads ? moved : ~0ull);
    case Shape::Message: return collector.message(at, reads ? moved : ~0ull);
    case Shape::Messages: return collector.messages(at, moved);
  }
}

}  // namespace

bool may_dump(const SyscallDesc& desc, const DecodeOptions& options) {
  if (options.dump_reads.none() && options.dump_writes.none()) return false;
  const Traffic* traffic = traffic_of(desc);
  if (!traffic) return false;
  return !(traffic->way == Way::Read ? options.dump_reads : options.dump_writes).none();
}

std::span<const Dump> dumps_of(Decoder& decoder) {
  const Call& call = decoder.call();
  const Traffic* traffic = traffic_of(*call.desc);
  if (!traffic) return {};
  const FdChoice& wanted = traffic->way == Way::Read ? decoder.options().dump_reads : decoder.options().dump_writes;
  if (!wanted.contains(static_cast<int>(call.regs[0]))) return {};
  Collector collector(decoder);
  collect(collector, call, *traffic);
  return collector.pieces();
}

}  // namespace strut
