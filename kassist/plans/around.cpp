#include "kassist/plans/around.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace strut {

namespace {

wire_op look(wire_op_kind kind, uint8_t at, uint8_t flags = 0) {
  wire_op op{};
  op.kind = kind;
  op.at = at;
  op.flags = flags;
  return op;
}

/// Calls whose data is decoded by the protocol of their socket, argument 0 (syscalls/types/netlink/netlink.cpp).
constexpr std::string_view kSends[] = {"sendto", "sendmsg", "sendmmsg", "send"};
constexpr std::string_view kReceives[] = {"recvfrom", "recvmsg", "recvmmsg", "recv", "recvmmsg_time64"};
/// Calls that may name a new process's namespaces (syscalls/types/process/new_namespaces.cpp).
constexpr std::string_view kMakesProcess[] = {"clone", "clone3"};
constexpr std::string_view kChangesNamespaces[] = {"unshare", "setns"};

/// Commands of ioctl whose name depends on the device (syscalls/types/ioctl/ioctl_names.cpp).
bool names_terminal(const Call& call) {
  uint32_t command = static_cast<uint32_t>(call.regs[1]);
  return std::string_view(call.desc->name) == "ioctl" && command >= 0x5402 && command <= 0x5404;  // TCSETS …
}

// -- calls that leave what surrounds them alone -----------------------------------------------------------

/// They take descriptors, and when they return the same is behind those.
constexpr std::string_view kOnlyLooks[] = {
    "open",       "openat",          "openat2",         "fstat",       "fstat64",     "newfstatat",  "fstatat64",
    "statx",      "lseek",           "_llseek",         "mmap",        "mmap2",       "access",      "faccessat",
    "faccessat2", "readlinkat",      "getdents",        "getdents64",  "ioctl",       "fcntl",       "fcntl64",
    "fstatfs",    "fstatfs64",       "fadvise64",       "epoll_ctl",   "epoll_wait",  "epoll_pwait", "epoll_pwait2",
    "poll",       "ppoll",           "select",          "pselect6",    "pread64",     "pwrite64",    "preadv",
    "pwritev",    "fsync",           "fdatasync",       "flock",       "fchmod",      "fchown",      "fchmodat",
    "fchownat",   "ftruncate",       "fallocate",       "fgetxattr",   "fsetxattr",   "flistxattr",  "utimensat",
    "dup",        "timerfd_settime", "timerfd_gettime", "getsockname", "getpeername", "getsockopt",
};
/// The same but for what -yy tells: an eventfd's count.
constexpr std::string_view kChangesDetails[] = {"read", "write", "readv", "writev", "sendfile", "splice"};

bool names_file(const ArgType& arg) {
  return arg.type.kind == Kind::Fd || arg.type.kind == Kind::DirFd ||
         (arg.type.reads && (arg.type.reads->kind == Kind::Fd || arg.type.reads->kind == Kind::DirFd));
}
bool names_process(const ArgType& arg) {
  return arg.type.kind == Kind::ProcessId || (arg.type.reads && arg.type.reads->kind == Kind::ProcessId);
}

}  // namespace

bool is_one_of(std::span<const std::string_view> names, const SyscallDesc& desc) {
  std::string_view name = desc.name;
  return std::find(names.begin(), names.end(), name) != names.end();
}

uint32_t surroundings_wanted(const TraceRequest& request) {
  const DecodeOptions& options = request.decode;
  uint32_t around = 0;
  if (options.fd_targets) around |= WIRE_AROUND_FILES;
  if (options.fd_targets && options.fd_details) around |= WIRE_AROUND_DETAILS;
  if (options.comms || options.translate_pids) around |= WIRE_AROUND_IDS;
  if (request.need_comm) around |= WIRE_AROUND_COMMS;
  if (options.new_namespaces) around |= WIRE_AROUND_NAMESPACES;
  return around;
}

uint8_t op_behind(Kind kind, uint32_t around) {
  if ((kind == Kind::Fd || kind == Kind::DirFd) && (around & WIRE_AROUND_FILES)) return WIRE_OP_FD;
  if (kind == Kind::ProcessId && (around & WIRE_AROUND_IDS)) return WIRE_OP_PID;
  return 0;
}

Looks looks_of(const Call& call, uint32_t around) {
  Looks looks;
  bool sends = is_one_of(kSends, *call.desc), receives = is_one_of(kReceives, *call.desc);
  if ((sends || receives) && !(around & WIRE_AROUND_DETAILS)) looks.enter.push_back(look(WIRE_OP_IDENTITY, 0));
  if (receives && !(around & WIRE_AROUND_DETAILS)) looks.exit.push_back(look(WIRE_OP_IDENTITY, 0));
  if (names_terminal(call) && !(around & WIRE_AROUND_FILES)) looks.enter.push_back(look(WIRE_OP_IDENTITY, 0));
  if (std::string_view(call.desc->name) == "prctl" && (around & WIRE_AROUND_COMMS))
    looks.exit.push_back(look(WIRE_OP_COMM, 0));
  if (!(around & WIRE_AROUND_NAMESPACES)) return looks;
  if (is_one_of(kMakesProcess, *call.desc))
    looks.exit.push_back(look(WIRE_OP_NAMESPACES, WIRE_RESULT, WIRE_OP_IF_DONE));
  if (is_one_of(kChangesNamespaces, *call.desc)) looks.exit.push_back(look(WIRE_OP_OWN_NAMESPACES, 0, WIRE_OP_IF_DONE));
  return looks;
}

// What a netlink socket is to be bound to, its first message says; until then nobody would tell its protocol.
bool surroundings_change(const SyscallDesc& desc, uint32_t around) {
  if (is_one_of(kSends, desc)) return true;
  auto args = std::span(desc.args).first(desc.count);
  bool files = (around & WIRE_AROUND_FILES) && std::any_of(args.begin(), args.end(), names_file);
  bool processes = (around & WIRE_AROUND_IDS) && std::any_of(args.begin(), args.end(), names_process);
  if (processes) return true;
  if (!files || is_one_of(kOnlyLooks, desc)) return false;
  return (around & WIRE_AROUND_DETAILS) || !is_one_of(kChangesDetails, desc);
}

}  // namespace strut
