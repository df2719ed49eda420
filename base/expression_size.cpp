#include "base/expression_size.hpp"

#include <algorithm>
#include <vector>

namespace strut {

namespace {

/// Walks an expression once: sums atoms, group by group, and multiplies the last one where it is repeated.
class SizeWalk {
 public:
  SizeWalk(std::string_view text, bool extended) : text_(text), extended_(extended) {}

  uint32_t run() {
    while (at_ < text_.size()) step();
    while (outer_.size() > 0) close();
    return static_cast<uint32_t>(sum_);
  }

 private:
  static constexpr uint64_t kMost = UINT32_MAX;

  static uint64_t capped(uint64_t value) { return std::min(value, kMost); }

  /// Operators have a backslash in basic expressions, and none in extended ones.
  void step() {
    bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
    char c = text_[at_ + (escaped ? 1 : 0)];
    at_ += escaped ? 2 : 1;
    bool is_operator = escaped != extended_;
    if (c == '[' && !escaped) return skip_brackets();
    if (c == '*' && !escaped) return;
    if (is_operator && c == '(') return open();
    if (is_operator && c == ')') return close();
    if (is_operator && c == '+') return repeat(2);
    if (is_operator && c == '{') return repeat_as_counted();
    if (is_operator && (c == '?' || c == '|')) return;
    add(1);
  }

  void add(uint64_t atoms) {
    last_ = atoms;
    sum_ = capped(sum_ + atoms);
  }
  void open() {
    outer_.push_back(sum_);
    sum_ = last_ = 0;
  }
  void close() {
    if (outer_.empty()) return add(1);
    uint64_t group = std::max<uint64_t>(sum_, 1);
    sum_ = outer_.back();
    outer_.pop_back();
    add(group);
  }
  void repeat(uint64_t times) {
    if (times < 2) return;
    sum_ = capped(sum_ + capped(last_ * (times - 1)));
    last_ = capped(last_ * times);
  }

  /// {3}, {3,5}, {3,}: the last one is three and one that repeats itself.
  void repeat_as_counted() {
    uint64_t times = number();
    if (at_ < text_.size() && text_[at_] == ',') at_++, times = std::max(number(), times + 1);
    size_t close = text_.find('}', at_);
    at_ = close == std::string_view::npos ? text_.size() : close + 1;
    repeat(times);
  }
  uint64_t number() {
    uint64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; at_++)
      value = capped(value * 10 + static_cast<uint64_t>(text_[at_] - '0'));
    return value;
  }
  void skip_brackets() {
    size_t close = text_.find(']', std::min(at_ + 1, text_.size()));
    at_ = close == std::string_view::npos ? text_.size() : close + 1;
    add(1);
  }

  std::string_view text_;
  bool extended_;
  size_t at_ = 0;
  uint64_t sum_ = 0, last_ = 0;
  std::vector<uint64_t> outer_;
};

}  // namespace

uint32_t expression_size(std::string_view text, bool extended) { return SizeWalk(text, extended).run(); }

}  // namespace strut
