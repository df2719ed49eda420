// One instruction on this machine's CPU, with chosen registers: the truth for emulations.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "x86/displaced.hpp"

namespace strut::test {

/// Two pages of code and sixteen of data, close to each other. One at a time: signals are the process's.
class HardwareStep {
 public:
  static constexpr size_t kCodeBytes = 0x2000, kDataBytes = 0x10000;

  HardwareStep() {
    void* at = ::mmap(nullptr, kCodeBytes + kDataBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    REQUIRE(at != MAP_FAILED);
    code_ = static_cast<std::byte*>(at);
    stack_t stack{};
    stack.ss_sp = stack_;
    stack.ss_size = sizeof stack_;
    REQUIRE(::sigaltstack(&stack, &old_stack_) == 0);
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (size_t i = 0; i < std::size(kSignals); i++) ::sigaction(kSignals[i], &action, &old_actions_[i]);
    self_ = this;
  }
  ~HardwareStep() {
    for (size_t i = 0; i < std::size(kSignals); i++) ::sigaction(kSignals[i], &old_actions_[i], nullptr);
    if (old_stack_.ss_size == 0) old_stack_.ss_flags = SS_DISABLE;
    ::sigaltstack(&old_stack_, nullptr);
    ::munmap(code_, kCodeBytes + kDataBytes);
    self_ = nullptr;
  }
  HardwareStep(const HardwareStep&) = delete;
  HardwareStep& operator=(const HardwareStep&) = delete;

  uint64_t code() const { return reinterpret_cast<uint64_t>(code_); }
  uint64_t data() const { return code() + kCodeBytes; }
  bool is_data(uint64_t at, size_t bytes) const { return at >= data() && at - data() <= kDataBytes - bytes; }

  /// Puts the bytes at `before.ip` (of code()) and runs one step. nullopt: it faulted.
  std::optional<MachineRegisters> step(std::span<const std::byte> bytes, const MachineRegisters& before) {
    std::memcpy(reinterpret_cast<void*>(before.ip), bytes.data(), bytes.size());
    wanted_ = before;
    phase_ = Phase::Entering;
    faulted_ = false;
    __asm__ volatile("int3" ::: "memory");
    if (faulted_) return std::nullopt;
    return got_;
  }

 private:
  enum class Phase { Idle, Entering, Running };
  static constexpr int kSignals[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  static constexpr int kGeneral[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  static constexpr uint64_t kTrap = 0x100;

  static void on_signal(int signal, siginfo_t*, void* context) {
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    if (self_->phase_ == Phase::Entering) self_->enter(registers);
    else if (self_->phase_ == Phase::Running) self_->leave(registers, signal != SIGTRAP);
    else _Exit(99);  // a fault of the tests themselves
  }
  void enter(gregset_t& registers) {
    std::memcpy(saved_, registers, sizeof saved_);
    for (size_t i = 0; i < 16; i++) registers[kGeneral[i]] = static_cast<greg_t>(wanted_.general[i]);
    registers[REG_RIP] = static_cast<greg_t>(wanted_.ip);
    registers[REG_EFL] = static_cast<greg_t>(wanted_.flags | kTrap);
    phase_ = Phase::Running;
  }
  void leave(gregset_t& registers, bool faulted) {
    for (size_t i = 0; i < 16; i++) got_.general[i] = static_cast<uint64_t>(registers[kGeneral[i]]);
    got_.ip = static_cast<uint64_t>(registers[REG_RIP]);
    got_.flags = static_cast<uint64_t>(registers[REG_EFL]) & ~kTrap;
    faulted_ = faulted;
    phase_ = Phase::Idle;
    std::memcpy(registers, saved_, sizeof saved_);
  }

  static inline HardwareStep* self_ = nullptr;
  std::byte* code_;
  alignas(16) std::byte stack_[1 << 16];
  stack_t old_stack_{};
  struct sigaction old_actions_[std::size(kSignals)] = {};
  Phase phase_ = Phase::Idle;
  bool faulted_ = false;
  MachineRegisters wanted_, got_;
  gregset_t saved_;
};

}  // namespace strut::test
