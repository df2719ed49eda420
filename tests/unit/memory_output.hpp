// An Output that keeps its input, as an outside reader would see it.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "formatters/common/output.hpp"

namespace strut::test {

class MemoryOutput final : public Output {
 public:
  enum class Kind : uint8_t { Shared, Separate, Immediate };
  explicit MemoryOutput(Kind kind = Kind::Shared) : kind_(kind) {}

  Result<void> write(Tid thread, std::string_view bytes) override {
    logs_[kind_ == Kind::Separate ? raw(thread) : 0] += bytes;
    writes_++;
    return {};
  }
  Result<void> flush() override { return {}; }
  Result<void> close(Tid) override { return {}; }
  void gather() override {
    if (kind_ == Kind::Immediate) kind_ = Kind::Shared;
  }
  bool separate() const override { return kind_ == Kind::Separate; }
  bool immediate() const override { return kind_ == Kind::Immediate; }

  /// The text since the last look.
  std::string take(int32_t log = 0) { return std::exchange(logs_[log], {}); }
  int writes() { return std::exchange(writes_, 0); }

 private:
  Kind kind_;
  std::map<int32_t, std::string> logs_;
  int writes_ = 0;
};

}  // namespace strut::test
