#include "formatters/common/tee.hpp"

#include <utility>

namespace strut {

namespace {

class Tee final : public Sink {
 public:
  Tee(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  Result<void> begin(std::string_view backend) override {
    TRY_VOID(first_->begin(backend));
    return second_->begin(backend);
  }
  Result<void> take(const Event& event) override {
    TRY_VOID(first_->take(event));
    return second_->take(event);
  }
  Result<void> flush() override {
    TRY_VOID(first_->flush());
    return second_->flush();
  }
  void gather() override {
    first_->gather();
    second_->gather();
  }
  Result<void> finish() override {
    TRY_VOID(first_->finish());
    return second_->finish();
  }

 private:
  std::unique_ptr<Sink> first_;
  std::unique_ptr<Sink> second_;
};

}  // namespace

std::unique_ptr<Sink> make_tee(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second) {
  return std::make_unique<Tee>(std::move(first), std::move(second));
}

}  // namespace strut
