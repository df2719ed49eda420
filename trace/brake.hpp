// Holds threads of a target while there is no room for their records. One backend needs it, the other can do it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/ids.hpp"

namespace strut {

/// Stops threads on their own request (a marker signal that the kernel's programs send them) and continues them.
///
/// A thread is seized (ptrace(2)) on request, without being stopped, and cannot see it: signals of its stops are passed
/// on unchanged, and the marker is not delivered. Destroyed, or with strut killed, all run on. All functions may be
/// called from one thread, which need not be the one that made it.
class Brake {
 public:
  virtual ~Brake() = default;

  /// Makes these threads ones that can be held. Where that is not possible (another tracer, it is gone) nothing
  /// happens.
  virtual void seize(std::span<const Tid> threads) = 0;

  /// The kind of code that is about to run for the first time.
  enum class Fresh : uint8_t { Programs, ProgramsAndChildren };
  /// From now on seized threads that execute a program stand still before it runs, and processes that seized threads
  /// make do so from their birth on; these are given up when they are let go. To be called before any thread is seized.
  virtual void hold(Fresh fresh) = 0;

  /// How many threads stand still.
  virtual size_t held() const = 0;
  /// How often a thread was made to, since the beginning.
  virtual uint64_t holds() const = 0;
  /// Lets all that stand still go on.
  virtual void let_go_on() = 0;
  /// Gives up all threads, so that another tracer can have them.
  virtual void give_up() = 0;
};

/// Whether a marker was sent to this thread that it has not received yet; true once for each. Called in the brake's
/// thread.
using MarkerTaken = std::function<bool(Tid)>;

/// `marker`: the number of the signal.
using MakeBrake = std::function<std::unique_ptr<Brake>(int marker, MarkerTaken taken)>;

}  // namespace strut
