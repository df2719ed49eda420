// Values with a remark behind them, and text made while decoding.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/arena.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// The parts joined, NUL-terminated, in the arena.
const char* joined(Arena& arena, std::initializer_list<std::string_view> parts);

/// A number with a remark that stands wherever names are wanted: `5 /* 0.05 s */`, raw `5`.
/// An enumeration without names.
Value remarked(Arena& arena, uint64_t bits, const char* remark, uint8_t bytes, NumberBase base = NumberBase::Unsigned);

/// A number followed by its names where names are wanted, never by its names alone: `0x3 /* A|B */`, raw `0x3`.
Value number_with_names(Arena& arena, uint64_t bits, const ConstantSet& set, uint8_t bytes);

}  // namespace strut
