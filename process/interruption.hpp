// How signals to strut itself act while it traces: strace(1), -I.
#pragma once

#include <cstdint>

#include <signal.h>

#include "base/ids.hpp"

namespace strut {

/// How keyboard signals act on strut while it traces: strace -I 1..4.
/// CommandsKeys: as WhileWaiting, but SIGINT and SIGQUIT of the terminal are for the launched command, which gets them,
/// too, and is traced until it ends.
enum class Interruptible : uint8_t {
  Default = 0,
  AnyTime = 1,
  WhileWaiting = 2,
  Never = 3,
  NeverAndTstp = 4,
  CommandsKeys = 5
};

/// How the tracer waits for its targets.
enum class Waits : uint8_t {
  InTheKernel,  ///< for as long as nothing comes: a signal must interrupt that
  Briefly,      ///< it looks again soon
};

/// Sets the dispositions of strut's signals for its life, and restores the previous ones. One at a time. To be made
/// after the launched command was forked: the command keeps the dispositions that strut was started with.
class Interruption {
 public:
  /// `command`: the launched one, if there is one.
  Interruption(Interruptible mode, Waits waits, Pid command = {});
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// From now on SIGUSR1 and SIGUSR2 ask strut to end, too (TraceRequest::spares_command), whether or not there is an
  /// Interruption yet. An ignored signal stays ignored until there is one: a command forked before keeps the
  /// dispositions that strut was started with.
  static void heed_user_signals();

  /// Keys typed from then on are for strut (Interruptible::CommandsKeys).
  static void command_ended();

  /// The signal that asks strut to end; 0: none came. SIGKILL: it has killed the process that users know
  /// (TracerProcess). From then on, where it waits in the kernel, SIGALRM comes every few milliseconds, so that a wait
  /// that was about to begin is interrupted too.
  static int caught();
  /// Asks strut to end as if this signal had come: its output is lost. To be called by the thread that looks at
  /// caught(); whether or not there is an Interruption yet.
  static void end_by_itself(int signal);
  /// Another signal came after that: the sender wants to wait only until targets are detached.
  static bool is_urgent();

 private:
  using Handler = void (*)(int, siginfo_t*, void*);
  void handle(int signal, void (*handler)(int));
  void handle(int signal, Handler handler);
  void install(int signal, struct sigaction& action);

  static constexpr int kMost = 12;
  struct Previous {
    int signal;
    struct sigaction action;
  };
  Previous previous_[kMost];
  int count_ = 0;
  bool nudges_ = false;  ///< SIGALRM is ours
};

/// Keeps back all signals, for its life, in the thread that makes it and in those that this one starts. Protects kernel
/// operations that fail with a pending signal: a thread that dies while it inserts uprobes leaves them behind, and a
/// program is not verified (bpf(2): EAGAIN). To be made after the launched command was forked.
class SignalsHeldBack {
 public:
  SignalsHeldBack();
  ~SignalsHeldBack();
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_;
};

}  // namespace strut
