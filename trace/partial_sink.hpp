// A Sink that handles some kinds of events and ignores the others.
#pragma once

#include <variant>

#include "trace/sink.hpp"

namespace strut {

template <typename What>
class HandlesEvent {
 public:
  virtual ~HandlesEvent() = default;
  /// Handles an event of this kind; without an override it is ignored.
  virtual Result<void> handle(const Event&, const What&) { return {}; }
};

template <typename Events>
class PartialSinkOf;

template <typename... Whats>
class PartialSinkOf<std::variant<Whats...>> : public Sink, public HandlesEvent<Whats>... {
 public:
  Result<void> take(const Event& event) override {
    auto handled = [this, &event]<typename What>(const What& what) {
      HandlesEvent<What>& handler = *this;
      return handler.handle(event, what);
    };
    return std::visit(handled, event.what);
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }
};

/// Override handle(event, what) for the handled kinds of events, and flush() and finish() where output is kept.
using PartialSink = PartialSinkOf<decltype(Event::what)>;

}  // namespace strut
