// The recorded state of an open file, as a descriptor's target.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kassist/wire/wire.h"
#include "procfs/socket_details.hpp"
#include "syscalls/call_context.hpp"

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

/// Path and deletion, as in LiveContext: "/etc/hosts", "pipe:[123]". nullopt: the path is incomplete. `directory`:
/// the current directory (its path keeps the " (deleted)").
std::optional<FdTarget> target_of(const SeenFile& file, bool directory);

/// Additions by the file's kind and details (-yy). Sockets: of strut's own network namespace, where sock_diag(7)
/// reports the same ones; a socket that only it knows of is looked up now.
decltype(FdTarget::details) details_of(const SeenFile& file, const SeenDetails* details, std::string_view path,
                                       SocketDetails& sockets);

/// Whether strut's sock_diag(7) reports this socket: it is of our network namespace, and bound or connected.
bool is_listed(const SeenDetails& socket);

/// A device without a looked-up path.
FdTarget device_of(const SeenDetails& details);

/// A comm as the kernel programs copied it: up to its first NUL.
std::string comm_in(std::span<const std::byte> comm);

}  // namespace strut
