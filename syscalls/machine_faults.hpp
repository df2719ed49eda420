// Machine faults with illumos's numbers and names (<sys/fault.h>): a program's error, before it becomes a signal.
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

#include <signal.h>

namespace strut {

/// Numbers 1..13; bit n is fault n.
using FaultNumbers = std::bitset<32>;

/// "FLTBOUNDS"; nullptr: no fault has this number.
const char* fault_name(int number);

/// The number of a name, with or without FLT, in any case, or of a decimal number that a fault has.
std::optional<int> fault_number(std::string_view text);

/// The fault behind a signal; nullopt: a process sent it, or its cause is no instruction. Linux does not report page
/// faults that it serves, so that FLTPAGE is never one (sigaction(2), si_code).
std::optional<int> fault_of(const siginfo_t& info);

/// The signals that stand for faults; bit n is signal n.
std::bitset<65> fault_signals();

}  // namespace strut
