#include "ptrace/engine/ptrace_backend.hpp"

#include "process/tracer_process.hpp"
#include "ptrace/engine/tracer.hpp"

namespace strut {

namespace {

class PtraceBackend final : public Backend {
 public:
  explicit PtraceBackend(std::unique_ptr<Unwinder> unwinder) : unwinder_(std::move(unwinder)) {}
  std::string_view name() const override { return "ptrace"; }

  Result<Outcome> run(const TraceRequest& request, Sink& sink, Listener& listener) override {
    Tracer tracer(request, sink, listener, unwinder_.get());
    Result<Outcome> outcome = tracer.run();
    TracerProcess::rejoin();
    stats_ = tracer.stats();
    return outcome;
  }

  BackendStats stats() const override { return stats_; }

 private:
  std::unique_ptr<Unwinder> unwinder_;
  BackendStats stats_;
};

}  // namespace

std::unique_ptr<Backend> make_ptrace_backend(std::unique_ptr<Unwinder> unwinder) {
  return std::make_unique<PtraceBackend>(std::move(unwinder));
}

}  // namespace strut
