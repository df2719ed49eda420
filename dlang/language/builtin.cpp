#include "dlang/language/builtin.hpp"

#include <iterator>

namespace strut {
namespace {

constexpr DBuiltinRow kBuiltins[] = {
#define BUILTIN(name, spelling, type) {spelling, type},
#include "dlang/language/builtins.inc"
#undef BUILTIN
};

constexpr DMemberRow kMembers[] = {
#define MEMBER(name, structure, spelling, type) {DTranslated::structure, spelling, type},
#include "dlang/language/members.inc"
#undef MEMBER
};

// PR_MODEL_LP64 of Solaris' <sys/procfs.h>: 2. Linux has no tasks, projects, pools, zones, contracts.
constexpr DConstantMember kConstantMembers[] = {
    {DTranslated::Process, "pr_dmodel", "char", 2},     {DTranslated::Process, "pr_taskid", "taskid_t", 0},
    {DTranslated::Process, "pr_projid", "projid_t", 0}, {DTranslated::Process, "pr_nzomb", "int", 0},
    {DTranslated::Process, "pr_poolid", "poolid_t", 0}, {DTranslated::Process, "pr_zoneid", "zoneid_t", 0},
    {DTranslated::Process, "pr_contract", "id_t", 0},   {DTranslated::Process, "pr_flag", "int", 0},
    {DTranslated::Thread, "pr_flag", "int", 0},         {DTranslated::Thread, "pr_wchan", "uintptr_t", 0},
    {DTranslated::Thread, "pr_stype", "char", 0},       {DTranslated::Thread, "pr_oldpri", "char", 0},
    {DTranslated::Thread, "pr_cpu", "char", 0},         {DTranslated::Thread, "pr_bindpset", "psetid_t", 0},
};

// struct user_regs_struct of sys/user.h, in its order; R_SP, R_PC and R_PS are the Guide's names for any machine.
constexpr std::string_view kRegisters[] = {
    "R_R15", "R_R14", "R_R13", "R_R12",    "R_RBP",    "R_RBX", "R_R11",      "R_R10", "R_R9",
    "R_R8",  "R_RAX", "R_RCX", "R_RDX",    "R_RSI",    "R_RDI", "R_ORIG_RAX", "R_RIP", "R_CS",
    "R_RFL", "R_RSP", "R_SS",  "R_FSBASE", "R_GSBASE", "R_DS",  "R_ES",       "R_FS",  "R_GS",
};
static_assert(std::size(kRegisters) == kDRegisters);

struct RegisterAlias {
  std::string_view alias, name;
};
constexpr RegisterAlias kAliases[] = {{"R_PC", "R_RIP"}, {"R_SP", "R_RSP"}, {"R_FP", "R_RBP"},
                                      {"R_PS", "R_RFL"}, {"R_R0", "R_RAX"}, {"R_R1", "R_RDX"}};

}  // namespace

std::span<const DBuiltinRow> builtins() { return kBuiltins; }
std::span<const DMemberRow> translated_members() { return kMembers; }

std::optional<DBuiltin> find_builtin(std::string_view name) {
  for (size_t i = 0; i < std::size(kBuiltins); i++)
    if (kBuiltins[i].name == name) return static_cast<DBuiltin>(i);
  return std::nullopt;
}

std::optional<DMemberName> find_member(DTranslated structure, std::string_view name) {
  for (size_t i = 0; i < std::size(kMembers); i++)
    if (kMembers[i].structure == structure && kMembers[i].name == name) return static_cast<DMemberName>(i);
  return std::nullopt;
}

const DConstantMember* find_constant_member(DTranslated structure, std::string_view name) {
  for (const DConstantMember& member : kConstantMembers)
    if (member.structure == structure && member.name == name) return &member;
  return nullptr;
}

std::optional<int64_t> find_register(std::string_view name) {
  for (const RegisterAlias& alias : kAliases)
    if (alias.alias == name) name = alias.name;
  for (size_t i = 0; i < std::size(kRegisters); i++)
    if (kRegisters[i] == name) return static_cast<int64_t>(i);
  return std::nullopt;
}

}  // namespace strut
