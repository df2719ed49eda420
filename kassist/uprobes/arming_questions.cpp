#include "kassist/uprobes/arming_questions.hpp"

#include <atomic>
#include <utility>

namespace strut {

Result<ArmingQuestions> ArmingQuestions::open(int ring, wire_arming& counts) {
  return ArmingQuestions(TRY(RingReader::map(ring, WIRE_QUESTION_BYTES)), ring, counts);
}

std::vector<wire_question> ArmingQuestions::take() {
  taken_ = std::atomic_ref(counts_.questions).load();
  return take_records<wire_question>(ring_);
}

void ArmingQuestions::answer_taken() { std::atomic_ref(counts_.answers).store(taken_); }

/// Numbers are given before records find their places. One that found none is not waited for.
void ArmingQuestions::answer(std::span<const wire_question> questions) {
  for (const wire_question& question : questions)
    if (!(question.kind & WIRE_WENT_ON)) ahead_.insert(question.number);
  bool is_complete = std::atomic_ref(counts_.unasked).load() == 0;
  while (!ahead_.empty() && (!is_complete || *ahead_.begin() == answered_ + 1))
    answered_ = ahead_.extract(ahead_.begin()).value();
  std::atomic_ref(counts_.answers).store(answered_);
}

void ArmingQuestions::answer_all() {
  constexpr uint32_t kMaxToCome = 1u << 30;
  std::atomic_ref(counts_.answers).store(std::atomic_ref(counts_.questions).load() + kMaxToCome);
}

}  // namespace strut
