// Records that are reported later than they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/machine/engine.hpp"

namespace strut {

/// A record with a copy of its bytes.
struct KeptRecord {
  DFired fired;  ///< `record` is not valid: record() is
  std::vector<std::byte> bytes;

  explicit KeptRecord(const DFired& of) : fired(of), bytes(of.record.begin(), of.record.end()) {}
  DFired record() const {
    DFired whole = fired;
    whole.record = bytes;
    return whole;
  }
};

/// The bytes of a record in DTrace's buffers, which -x specsize and bufsize count: a string takes strsize, however
/// short it is.
uint64_t buffer_bytes(const DProgram& program, std::span<const std::byte> record);
/// The bytes of the largest record that the program may make.
uint64_t largest_buffer_bytes(const DProgram& program);

}  // namespace strut
