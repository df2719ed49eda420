// Puts functions together to one BPF program: those that are reached, and no others, so that the verifier walks no
// more.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <linux/bpf.h>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/dtrace/library.hpp"

namespace strut {

/// Functions made of the program; they go before the library's of the same names.
using DMade = std::unordered_map<std::string_view, DFunction>;

struct DLinked {
  std::string_view main;  ///< for the library
  bpf_prog_type type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  uint32_t attach_type = 0;
  bool may_sleep = false;  ///< pages that are not present are brought in
};

/// Error: the kernel's refusal; `why` is the verifier's last word, where it has one.
Result<OwnedFd> link_and_load(const DLibrary& library, const DMade& made, const DLinked& what);

}  // namespace strut
