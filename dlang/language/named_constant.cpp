#include "dlang/language/named_constant.hpp"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <net/if_arp.h>
#include <sys/socket.h>

#include "syscalls/errno_names.hpp"
#include "syscalls/signal_names.hpp"

namespace strut {
namespace {

struct Row {
  std::string_view name;
  int64_t value;
};
constexpr Row kRows[] = {
    {"CLD_EXITED", CLD_EXITED},   {"CLD_KILLED", CLD_KILLED},   {"CLD_DUMPED", CLD_DUMPED},
    {"CLD_TRAPPED", CLD_TRAPPED}, {"CLD_STOPPED", CLD_STOPPED}, {"CLD_CONTINUED", CLD_CONTINUED},
    {"AF_INET", AF_INET},         {"AF_INET6", AF_INET6},       {"AF_UNIX", AF_UNIX},
    {"SIGCLD", SIGCHLD},          {"SIGPOLL", SIGPOLL},         {"SIGIOT", SIGIOT},
#define D_FAULT(fault, number, constant, value) {"DTRACEFLT_" #constant, value},
#include "dlang/language/faults.inc"
#undef D_FAULT
    {"DTRACEFLT_KPRIV", 6},       {"DTRACEFLT_UPRIV", 7},       {"DTRACEFLT_TUPOFLOW", 8},
    {"DTRACEFLT_BADSTACK", 9},    {"EWOULDBLOCK", EWOULDBLOCK}, {"EDEADLOCK", EDEADLOCK},
    {"EOPNOTSUPP", EOPNOTSUPP},   {"O_RDONLY", O_RDONLY},       {"O_WRONLY", O_WRONLY},
    {"O_RDWR", O_RDWR},           {"O_ACCMODE", O_ACCMODE},     {"O_APPEND", O_APPEND},
    {"O_CREAT", O_CREAT},         {"O_DSYNC", O_DSYNC},         {"O_EXCL", O_EXCL},
    {"O_NDELAY", O_NDELAY},       {"O_NOCTTY", O_NOCTTY},       {"O_NONBLOCK", O_NONBLOCK},
    {"O_RSYNC", O_RSYNC},         {"O_SYNC", O_SYNC},           {"O_TRUNC", O_TRUNC},
    {"O_CLOEXEC", O_CLOEXEC},     {"O_DIRECTORY", O_DIRECTORY}, {"O_NOFOLLOW", O_NOFOLLOW},
};

/// For link_ntop().
constexpr Row kHardwareTypes[] = {{"ARPHRD_ETHER", ARPHRD_ETHER}, {"ARPHRD_INFINIBAND", ARPHRD_INFINIBAND}};

/// Names alone, as they are written in C.
bool is_upper_case(std::string_view name) {
  return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

}  // namespace

std::optional<int64_t> named_constant(std::string_view name) {
  if (!is_upper_case(name)) return std::nullopt;
  for (const Row& row : kRows)
    if (row.name == name) return row.value;
  for (const Row& row : kHardwareTypes)
    if (row.name == name) return row.value;
  constexpr int kLastStandard = 31;
  if (auto signal = name.starts_with("SIG") ? signal_number(name) : std::nullopt)
    return *signal <= kLastStandard ? std::optional<int64_t>(*signal) : std::nullopt;
  return name.starts_with('E') ? errno_number(name) : std::nullopt;
}

}  // namespace strut
