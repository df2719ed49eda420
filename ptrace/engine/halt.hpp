// A thread at a stop, as the observer of a probe host sees it.
#pragma once

#include <csignal>

#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

class Halt final : public HaltedThread {
 public:
  explicit Halt(Tracee& thread) : thread_(thread) {}
  Halt(Tracee& thread, const AllRegisters& registers) : thread_(thread), registers_(registers), is_read_(true) {}

  Pid pid() const override { return thread_.pid; }
  Tid tid() const override { return thread_.tid; }
  const AllRegisters& registers() override {
    if (!is_read_ && !read_all_registers(thread_.tid, registers_)) registers_ = {};
    is_read_ = true;
    return registers_;
  }
  Memory& memory() override { return *thread_.process->space; }
  bool write(Addr at, std::span<const std::byte> bytes) override { return thread_.process->space->write(at, bytes); }
  void stop() override { thread_.to_be_stopped = true; }

 private:
  Tracee& thread_;
  AllRegisters registers_{};
  bool is_read_ = false;
};

}  // namespace strut
