// What a record saw of an open file, as a descriptor's target.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "kassist/wire/wire.h"
#include "procfs/socket_details.hpp"
#include "syscalls/surroundings.hpp"

namespace strut {

/// A WIRE_FILE chunk in parts.
struct SeenFile {
  wire_file header;
  std::string_view names;  ///< each with its NUL, the last one of a path first
};
/// nullopt: the descriptor is not open, or the content is malformed.
std::optional<SeenFile> seen_file(std::span<const std::byte> content);

/// A WIRE_DETAILS chunk in parts.
struct SeenDetails {
  wire_details header;
  std::string_view name;  ///< an AF_UNIX socket's address behind its family
};
/// nullopt: there are none.
std::optional<SeenDetails> seen_details(std::span<const std::byte> content);

/// Path and deletion, as LiveSurroundings says them: "/etc/hosts", "pipe:[123]". nullopt: not all of the path was seen.
/// `directory`: the current directory, whose path keeps the " (deleted)".
std::optional<FdTarget> target_of(const SeenFile& file, bool directory);

/// What the file's own kind and its details add (-yy). Sockets: of strut's own network namespace, whose sock_diag(7)
/// tells of the same ones; of those that only it can tell of, it is asked now.
decltype(FdTarget::details) details_of(const SeenFile& file, const SeenDetails* details, std::string_view path,
                                       SocketDetails& sockets);

/// Whether sock_diag(7) would tell strut of this socket: it is of our network namespace, and bound or connected.
bool is_listed(const SeenDetails& socket);

/// A device whose path was not looked for.
FdTarget device_of(const SeenDetails& details);

}  // namespace strut
