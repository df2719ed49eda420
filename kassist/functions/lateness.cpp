#include "kassist/functions/lateness.hpp"

#include <algorithm>
#include <utility>

namespace strut {

namespace {

constexpr size_t kMaxAnswers = 1024;  ///< an unanswered thread reports that before this many others got a reply

constexpr size_t kMaxArmings = 256;  ///< for one process: more than the files that it maps at once

std::string pid_text(const wire_question& question) { return "pid " + std::to_string(question.process); }

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The process with possibly missing calls; empty: none, since nothing was armed late.
std::string subject(const wire_question& question, const Answer& answer) {
  bool is_gone = answer.life == Answer::Life::Gone;
  if (!is_gone && answer.armed.empty()) return {};
  switch (question.kind & ~uint32_t{WIRE_WENT_ON}) {
    case WIRE_ASKS_LIBRARY:
      return is_gone ? "libraries that " + pid_text(question) + " opened"
                     : joined(answer.armed) + " in " + pid_text(question);
    case WIRE_ASKS_BIRTH: return pid_text(question) + ", which was just made,";
    default: return "the new program of " + pid_text(question);
  }
}

}  // namespace

void Lateness::say(const wire_question& question, const Answer& answer) {
  std::string whose = subject(question, answer);
  if (!whose.empty())
    lines_.push_back("first calls of " + whose + " may be missing: it could not be held until they were armed");
}

void Lateness::answered(const wire_question& question, Answer answer) {
  if (auto late = waiting_.extract(question.number)) say(late.mapped(), answer);
  answers_.insert_or_assign(question.number, std::move(answer));
  if (answers_.size() > kMaxAnswers) answers_.erase(answers_.begin());
}

void Lateness::went_on(const wire_question& question) {
  auto known = answers_.find(question.number);
  if (known != answers_.end()) say(question, known->second);
  else waiting_.insert_or_assign(question.number, question);
}

void Lateness::armed(uint32_t process, const std::vector<std::string>& files, uint64_t at_ns) {
  if (files.empty()) return;
  std::vector<Arming>& armings = armings_[process];
  for (const std::string& file : files) armings.push_back({file, at_ns});
  if (armings.size() > kMaxArmings) armings.erase(armings.begin(), armings.end() - kMaxArmings);
}

std::vector<std::string> Lateness::armed_since(uint32_t process, uint64_t at_ns) const {
  std::vector<std::string> files;
  auto known = armings_.find(process);
  if (known == armings_.end()) return files;
  for (const Arming& arming : known->second)
    if (arming.at_ns > at_ns && std::ranges::find(files, arming.file) == files.end()) files.push_back(arming.file);
  return files;
}

void Lateness::executed(uint32_t process, uint64_t at_ns) {
  uint64_t& last_ns = executed_ns_[process];
  last_ns = std::max(last_ns, at_ns);
}

bool Lateness::has_executed_since(uint32_t process, uint64_t at_ns) const {
  auto known = executed_ns_.find(process);
  return known != executed_ns_.end() && known->second > at_ns;
}

void Lateness::forget(uint32_t process) {
  armings_.erase(process);
  executed_ns_.erase(process);
}

std::vector<std::string> Lateness::take() { return std::exchange(lines_, {}); }

}  // namespace strut
