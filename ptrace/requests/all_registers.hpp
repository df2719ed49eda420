// All general registers of a tracee, and the part of them that displaced instructions touch.
#pragma once

#include <cstddef>

#include <sys/user.h>

#include "trace/probe_host.hpp"
#include "trace/unwinder.hpp"
#include "x86/displaced.hpp"

namespace strut {

static_assert(sizeof(user_regs_struct) == sizeof(AllRegisters));

#define PLACE(name) (offsetof(user_regs_struct, name) / sizeof(uint64_t))
inline constexpr size_t kRip = PLACE(rip), kRsp = PLACE(rsp), kFlags = PLACE(eflags), kRax = PLACE(rax),
                        kRdx = PLACE(rdx), kOrigRax = PLACE(orig_rax), kFsBase = PLACE(fs_base);
/// By their numbers in instructions: MachineRegisters::general.
inline constexpr size_t kGeneral[] = {PLACE(rax), PLACE(rcx), PLACE(rdx), PLACE(rbx), PLACE(rsp), PLACE(rbp),
                                      PLACE(rsi), PLACE(rdi), PLACE(r8),  PLACE(r9),  PLACE(r10), PLACE(r11),
                                      PLACE(r12), PLACE(r13), PLACE(r14), PLACE(r15)};
/// Registers of system-call arguments (syscall(2)).
inline constexpr size_t kCallArguments[] = {PLACE(rdi), PLACE(rsi), PLACE(rdx), PLACE(r10), PLACE(r8), PLACE(r9)};
/// Registers of functions' integer arguments (System V ABI for x86-64, 3.2.3).
inline constexpr size_t kFunctionArguments[] = {PLACE(rdi), PLACE(rsi), PLACE(rdx), PLACE(rcx), PLACE(r8), PLACE(r9)};
/// Registers of Go functions' arguments (Go's ABI document, "amd64 architecture"), and of the goroutine.
inline constexpr size_t kGoArguments[] = {PLACE(rax), PLACE(rbx), PLACE(rcx), PLACE(rdi), PLACE(rsi), PLACE(r8)};
inline constexpr size_t kGoroutine = PLACE(r14);
/// By their numbers in DWARF: UserRegisters.
inline constexpr size_t kDwarf[] = {PLACE(rax), PLACE(rdx), PLACE(rcx), PLACE(rbx), PLACE(rsi), PLACE(rdi),
                                    PLACE(rbp), PLACE(rsp), PLACE(r8),  PLACE(r9),  PLACE(r10), PLACE(r11),
                                    PLACE(r12), PLACE(r13), PLACE(r14), PLACE(r15), PLACE(rip)};
#undef PLACE

inline MachineRegisters machine_registers(const AllRegisters& all) {
  MachineRegisters registers;
  for (size_t i = 0; i < registers.general.size(); i++) registers.general[i] = all[kGeneral[i]];
  registers.ip = all[kRip];
  registers.flags = all[kFlags];
  return registers;
}

inline UserRegisters user_registers(const AllRegisters& all) {
  UserRegisters registers;
  for (size_t i = 0; i < registers.size(); i++) registers[i] = all[kDwarf[i]];
  return registers;
}

inline void put(const MachineRegisters& registers, AllRegisters& all) {
  for (size_t i = 0; i < registers.general.size(); i++) all[kGeneral[i]] = registers.general[i];
  all[kRip] = registers.ip;
  all[kFlags] = registers.flags;
}

}  // namespace strut
