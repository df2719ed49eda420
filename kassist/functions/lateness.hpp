// Threads that could not be stopped until their new code was armed: the possible misses are reported.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "kassist/wire/wire.h"

namespace strut {

/// The result of an arming request.
struct Answer {
  enum class Life : uint8_t { There, Gone };  ///< whether it could still be looked at
  Life life = Life::There;                    ///< the program that asked
  /// Files of which something was armed there only after it was asked, by their last names.
  std::vector<std::string> armed;
};

/// Requests come from the programs at places where code appears; the order of a request's parts does not matter.
class Lateness {
 public:
  void answered(const wire_question& question, Answer answer);
  /// Something of these files, by their last names, came to be armed in a process, and was by that time.
  void armed(uint32_t process, const std::vector<std::string>& files, uint64_t at_ns);
  /// Each once. A process that made a request at that time may have run before, whatever request they were armed for.
  std::vector<std::string> armed_since(uint32_t process, uint64_t at_ns) const;
  /// The process exec'd then: the program that made earlier requests can no longer be inspected.
  void executed(uint32_t process, uint64_t at_ns);
  bool has_executed_since(uint32_t process, uint64_t at_ns) const;
  /// A process that is gone.
  void forget(uint32_t process);
  /// A thread has not waited for the answer to this question.
  void went_on(const wire_question& question);
  /// Lines for users, since the last call.
  std::vector<std::string> take();

 private:
  void say(const wire_question& question, const Answer& answer);

  struct Arming {
    std::string file;
    uint64_t at_ns;
  };

  std::map<uint32_t, std::vector<Arming>> armings_;  ///< the last ones, by process
  std::map<uint32_t, uint64_t> executed_ns_;         ///< the last time, by process
  std::map<uint64_t, Answer> answers_;               ///< the last ones, by number
  std::map<uint64_t, wire_question> waiting_;        ///< went on, not answered yet
  std::vector<std::string> lines_;
};

}  // namespace strut
