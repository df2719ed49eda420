// Function calls for truss -u, -U: which functions are armed, and how hits become calls.
#pragma once

#include <vector>

#include "cli/common/message.hpp"
#include "cli/truss/choice.hpp"
#include "libcalls/pairing/call_assembler.hpp"
#include "trace/request.hpp"

namespace strut {

/// Stands between a backend and a sink. Puts itself into the request, which is to be run while it lives.
class TrussCalls {
 public:
  TrussCalls(std::vector<FunctionChoice> choices, TraceRequest& request, Sink& sink);
  Sink& sink() { return assembler_; }
  /// Reports functions that could not be traced, and choices that matched nothing.
  void say_complaints(Messages& messages) const;

 private:
  /// Passes everything on, and asks for a stop at functions of -U.
  class Stopping final : public Sink {
   public:
    Stopping(const TrussChoice& choice, Sink& next) : choice_(choice), next_(next) {}
    Result<void> begin(std::string_view backend) override { return next_.begin(backend); }
    Result<void> take(const Event& event) override;
    Result<void> flush() override { return next_.flush(); }
    void gather() override { next_.gather(); }
    Result<void> finish() override { return next_.finish(); }
    bool asked = false;

   private:
    const TrussChoice& choice_;
    Sink& next_;
  };

  TrussChoice choice_;
  PrototypeSearch prototypes_;
  CallPoints points_;
  Stopping stopping_;
  CallAssembler assembler_;
};

}  // namespace strut
