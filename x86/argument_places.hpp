// Where a function's arguments and result are, by the System V ABI for x86-64 (section 3.2.3, "Parameter Passing").
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "syscalls/function.hpp"

namespace strut {

/// One eightbyte of a structure that is passed in registers.
struct RegisterPiece {
  bool floating = false;
  uint8_t index = 0;  ///< among the registers of its kind
};

/// Where one argument or result is.
struct ArgumentPlace {
  enum class In : uint8_t {
    Integer,    ///< integer register `index`
    Floating,   ///< the low half of vector register `index`
    Stack,      ///< a scalar, `offset` bytes from the first stack argument
    Memory,     ///< an object: there itself (an argument), or where %rax points (a result)
    Registers,  ///< a structure of up to 16 bytes, in `pieces`
    X87,        ///< %st(0): a long double that is returned
  };
  In in = In::Integer;
  uint8_t index = 0;
  uint32_t offset = 0;
  uint8_t bytes = 8;  ///< for a structure in registers
  std::array<RegisterPiece, 2> pieces{};
};

/// Places of `types`, as many as fit: the first kMaxDecodedArgs. `result` may take the first integer register for
/// itself (a structure that is returned in memory).
struct ArgumentPlaces {
  std::array<ArgumentPlace, kMaxDecodedArgs> places{};
  uint8_t count = 0;
};
ArgumentPlaces places_of(std::span<const ArgType> types, const Type& result);
/// Where an argument of class INTEGER is that follows the declared ones: a va_list's address.
ArgumentPlace place_behind(std::span<const ArgType> types, const Type& result);

/// A va_list, as it is in memory (3.5.7, "Variable Argument Lists").
struct ArgumentList {
  uint32_t integers_end;   ///< gp_offset: bytes of the saved registers that are taken, up to the next integer one …
  uint32_t floatings_end;  ///< fp_offset: … and up to the next vector register
  Addr on_stack;           ///< overflow_arg_area
  Addr saved_registers;    ///< reg_save_area
};
/// In it the integer registers come first, a word each, then the vector registers.
constexpr size_t kSavedIntegerBytes = 6 * 8, kSavedFloatingBytes = 16,
                 kSavedRegisterBytes = kSavedIntegerBytes + 8 * kSavedFloatingBytes;
/// Places of the arguments that a list has still to give. Offsets of those on the stack count from `on_stack`.
ArgumentPlaces places_in(const ArgumentList& list, std::span<const ArgType> types);

/// Which of a function's values make it necessary to read floating-point registers.
struct FloatingUse {
  bool takes = false;     ///< arguments in vector registers
  bool may_take = false;  ///< for variable arguments: %al is 0 if none is there
  bool returns = false;   ///< the result, in them or in %st(0)
};
FloatingUse floating_use(const FunctionDesc& desc);

/// Integer results are in %rax (index 0) and %rdx (1), floating ones in %xmm0 and %xmm1.
ArgumentPlace result_place(const Type& result);

}  // namespace strut
