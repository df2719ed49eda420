// Names that D knows without declaration: variables, members of translated structures, registers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace strut {

/// Built-in variables that the backend evaluates. The order is part of the bytecode.
enum class DBuiltin : uint8_t {
#define BUILTIN(name, spelling, type) name,
#include "dlang/language/builtins.inc"
#undef BUILTIN
};

/// Structures that exist only member by member.
enum class DTranslated : uint8_t { Process, Thread, File };
constexpr size_t kDTranslatedKinds = 3;

/// Members of translated structures. The order is part of the bytecode.
enum class DMemberName : uint8_t {
#define MEMBER(name, structure, spelling, type) name,
#include "dlang/language/members.inc"
#undef MEMBER
};

/// The objects that have members.
enum class DSubject : uint8_t {
  Current,     ///< the thread that fired the probe, and its process
  Argument,    ///< the process or thread that args[which] of the probe is
  Descriptor,  ///< file descriptor `which` of the process that fired the probe
};

struct DBuiltinRow {
  std::string_view name;
  std::string_view type;  ///< DTypes::spelled()
};
struct DMemberRow {
  DTranslated structure;
  std::string_view name;
  std::string_view type;
};

/// A member of DTrace's that is the same for all processes of Linux.
struct DConstantMember {
  DTranslated structure;
  std::string_view name;
  std::string_view type;
  int64_t value;
};

std::span<const DBuiltinRow> builtins();
std::span<const DMemberRow> translated_members();

std::optional<DBuiltin> find_builtin(std::string_view name);
std::optional<DMemberName> find_member(DTranslated structure, std::string_view name);
/// nullptr: there is none of this name.
const DConstantMember* find_constant_member(DTranslated structure, std::string_view name);

/// The index for uregs[] that a constant like R_RAX is; R_PC, R_SP, R_FP, R_PS, R_R0 and R_R1 name them on any machine.
/// The order is that of struct user_regs_struct (sys/user.h).
std::optional<int64_t> find_register(std::string_view name);
constexpr uint32_t kDRegisters = 27;

/// argN has these N.
constexpr uint32_t kDArguments = 10;

}  // namespace strut
