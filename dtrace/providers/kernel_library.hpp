// D declarations that the arguments of the kernel's events are made with: structures of the DTrace Guide
// ("io Provider", "ip Provider", "tcp Provider", "udp Provider") and how each is made of Linux' structures.
#pragma once

#include <string_view>

namespace strut {

/// One library for all these providers, to be compiled ahead of a program that names one.
extern const std::string_view kKernelLibrary;

}  // namespace strut
