// Arming requests of the kernel programs, for threads that wait.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "kassist/transport/ring_reader.hpp"
#include "kassist/wire/arming_wire.h"

namespace strut {

class ArmingQuestions {
 public:
  /// `ring`: the descriptor of the ring that has them. Both must outlive this.
  static Result<ArmingQuestions> open(int ring, wire_arming& counts);

  /// Readable when there are any.
  int news() const { return ring_number_; }
  /// The requests since the last call, and those of threads that went on without a reply.
  std::vector<wire_question> take();
  /// Threads that wait for replies to these requests, and to no younger ones, can go on.
  void answer(std::span<const wire_question> questions);
  /// All threads that had asked when take() was called can go on, also those whose requests were still on their way to
  /// the ring: for a user that looks at every process whose code has changed, whichever requests.
  void answer_taken();
  /// No thread is to wait any more.
  void answer_all();

 private:
  ArmingQuestions(RingReader ring, int number, wire_arming& counts)
      : ring_(std::move(ring)), ring_number_(number), counts_(counts) {}

  RingReader ring_;
  int ring_number_;
  wire_arming& counts_;
  uint32_t answered_ = 0;
  uint32_t taken_ = 0;        ///< the number of the last request when take() was called
  std::set<uint32_t> ahead_;  ///< answered, too, behind one that is still on its way through the ring
};

}  // namespace strut
