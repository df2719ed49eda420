// Details of a descriptor beyond its path (-yy): devices, eventfds, pidfds, signalfds.
#pragma once

#include <string_view>

#include "base/ids.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

/// The details in the text of /proc/PID/fdinfo/N (proc(5)) of a descriptor with the link `path`
/// ("anon_inode:[eventfd]", "anon_inode:[pidfd]", "anon_inode:[signalfd]"). monostate: none, or not understood.
decltype(FdTarget::details) parse_fdinfo(std::string_view path, std::string_view fdinfo);

/// The slave's path of a /dev/ptmx by its fdinfo, "/dev/pts/3"; empty: the text does not say.
std::string parse_pty_peer(std::string_view fdinfo);

/// Looks up an open descriptor with the link `path` in /proc.
decltype(FdTarget::details) fd_details(Tid tid, int fd, std::string_view path);

}  // namespace strut
