// Names of the classes of system calls that `-e trace=%CLASS` takes.
#pragma once

#include <string_view>
#include <vector>

namespace strut {

/// Without the first `%`, in the order of strace(1): "file", "%stat".
std::vector<std::string_view> syscall_class_names();

}  // namespace strut
