#include "kassist/transport/recorded_context.hpp"

#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>

namespace strut {

namespace {

bool is_surroundings(wire_u8 kind) {
  return kind == WIRE_FILE || kind == WIRE_DETAILS || kind == WIRE_PROCESS || kind == WIRE_NAMESPACES;
}

template <typename T>
std::optional<T> start_of(std::span<const std::byte> content) {
  if (content.size() < sizeof(T)) return std::nullopt;
  T start;
  std::memcpy(&start, content.data(), sizeof start);
  return start;
}

/// Members of wire_namespaces by the names of /proc/PID/ns.
struct Space {
  std::string_view name;
  wire_u32 wire_namespaces::* inode;
};
constexpr Space kSpaces[] = {
    {"cgroup", &wire_namespaces::cgroup}, {"ipc", &wire_namespaces::ipc}, {"mnt", &wire_namespaces::mnt},
    {"net", &wire_namespaces::net},       {"pid", &wire_namespaces::pid}, {"time", &wire_namespaces::time},
    {"user", &wire_namespaces::user},     {"uts", &wire_namespaces::uts},
};

}  // namespace

void RecordedContext::add(RecordView record) {
  record.each_chunk([&](const ChunkView& chunk) {
    if (is_surroundings(chunk.header->kind))
      pieces_.push_back({static_cast<int64_t>(chunk.header->at), chunk.content, chunk.header->kind,
                         chunk.header->asked == WIRE_RESULTS});
  });
}

/// The latest one of the phase that is shown, at exit else one of the entry.
const RecordedContext::Piece* RecordedContext::find(wire_chunk_kind kind, int64_t at) const {
  const Piece* found = nullptr;
  for (const Piece& piece : pieces_)
    if (piece.kind == kind && piece.at == at && (results_ || !piece.result)) found = &piece;
  return found;
}

std::optional<SeenDetails> RecordedContext::details_of_fd(int fd) const {
  const Piece* piece = find(WIRE_DETAILS, fd);
  return piece ? seen_details(piece->content) : std::nullopt;
}

std::optional<FdTarget> RecordedContext::fd_target(int fd, bool details) {
  bool directory = fd == AT_FDCWD;
  if (fd < 0 && !directory) return std::nullopt;
  const Piece* piece = find(WIRE_FILE, fd);
  std::optional<SeenDetails> more = details_of_fd(fd);
  if (!piece && find(WIRE_DETAILS, fd)) return more ? device_of(*more) : FdTarget{};
  if (piece && piece->content.empty()) return std::nullopt;
  std::optional<SeenFile> file = piece ? seen_file(piece->content) : std::nullopt;
  std::optional<FdTarget> target = file ? target_of(*file, directory) : std::nullopt;
  if (!target) {
    late_++;
    return live_.fd_target(fd, details);
  }
  if (details && !directory) target->details = details_of(*file, more ? &*more : nullptr, target->path, sockets_);
  if (auto* pidfd = std::get_if<PidfdTarget>(&target->details); pidfd && !options_.comms) pidfd->comm.clear();
  return target;
}

/// nullopt: no process has this id; or it was not looked up, and `seen` is false.
std::optional<wire_process> RecordedContext::process(int32_t id, bool& seen) const {
  const Piece* piece = find(WIRE_PROCESS, id);
  seen = piece != nullptr;
  return piece ? start_of<wire_process>(piece->content) : std::nullopt;
}

std::optional<std::string> RecordedContext::comm(int32_t id) {
  bool seen;
  auto named = process(id, seen);
  if (!seen && id > 0) {
    late_++;
    return live_.comm(id);
  }
  if (!named) return std::nullopt;
  return comm_in(std::as_bytes(std::span(named->comm)));
}

std::optional<int32_t> RecordedContext::translate_pid(int32_t id) {
  bool seen;
  auto named = process(id, seen);
  if (!seen && id > 0) {
    late_++;
    return live_.translate_pid(id);
  }
  if (!named || !named->foreign || named->id == 0) return std::nullopt;
  return static_cast<int32_t>(named->id);
}

std::optional<std::string> RecordedContext::namespace_of(int32_t id, const char* kind) {
  const Piece* piece = find(WIRE_NAMESPACES, id);
  if (!piece) {
    late_++;
    return live_.namespace_of(id, kind);
  }
  auto spaces = start_of<wire_namespaces>(piece->content);
  if (!spaces) return std::nullopt;
  for (const Space& space : kSpaces)
    if (space.name == kind && (*spaces).*space.inode != 0)
      return std::string(kind) + ":[" + std::to_string((*spaces).*space.inode) + "]";
  return std::nullopt;
}

std::optional<std::string> RecordedContext::own_comm(RecordView record) {
  std::optional<std::string> comm;
  record.each_chunk([&](const ChunkView& chunk) {
    if (chunk.header->kind == WIRE_COMM_CHUNK) comm = comm_in(chunk.content);
  });
  return comm;
}

// The interfaces are those of strut's own network namespace: no event of the target's.
std::optional<std::string> RecordedContext::interface_name(uint32_t index) { return live_.interface_name(index); }

std::optional<std::string> RecordedContext::generic_family(uint16_t number) { return live_.generic_family(number); }

std::optional<NetlinkTarget> RecordedContext::netlink_socket(int fd) {
  if (fd < 0) return std::nullopt;
  if (!find(WIRE_DETAILS, fd)) {
    const Piece* closed = find(WIRE_FILE, fd);
    if (closed && closed->content.empty()) return std::nullopt;
    late_++;
    return live_.netlink_socket(fd);
  }
  auto seen = details_of_fd(fd);
  if (!seen || seen->header.of != WIRE_OF_SOCKET || seen->header.family != AF_NETLINK) return std::nullopt;
  NetlinkTarget target;
  if (is_listed(*seen)) target.protocol = seen->header.protocol;
  return target;
}

}  // namespace strut
