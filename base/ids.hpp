// Distinct types for the numbers that name things in a target.
#pragma once

#include <cstdint>

namespace strut {

/// A process (thread group) id, as strut's own pid namespace numbers it.
enum class Pid : int32_t {};
/// A thread id, as strut's own pid namespace numbers it.
enum class Tid : int32_t {};
/// An address in a target's memory.
enum class Addr : uint64_t {};

constexpr int32_t raw(Pid pid) { return static_cast<int32_t>(pid); }
constexpr int32_t raw(Tid tid) { return static_cast<int32_t>(tid); }
constexpr uint64_t raw(Addr addr) { return static_cast<uint64_t>(addr); }
constexpr Addr operator+(Addr addr, uint64_t bytes) { return Addr{raw(addr) + bytes}; }

/// The leader's thread id is its process id (clone(2), CLONE_THREAD).
constexpr Tid leader_of(Pid pid) { return Tid{raw(pid)}; }

}  // namespace strut
