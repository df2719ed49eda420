// Members of psinfo_t, lwpsinfo_t and fileinfo_t, from /proc.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.hpp"
#include "dlang/language/builtin.hpp"

namespace strut {

/// A member of a process or a thread of it, in 64 bits; of DTranslated::Process and Thread. 0: it is gone. Times are in
/// nanoseconds since 1970.
uint64_t process_member(Pid pid, Tid tid, DMemberName member);
std::string process_member_text(Pid pid, Tid tid, DMemberName member);

/// file_member() for a process's descriptor: DTranslated::File.
uint64_t file_member(Pid pid, int fd, DMemberName member);
std::string file_member_text(Pid pid, int fd, DMemberName member);

/// Arguments with a blank between each two.
std::string arguments_of(Pid pid);

/// Whether `of` is that process or one of its ancestors.
bool is_progeny(Pid process, int64_t of);

}  // namespace strut
