#include "ptrace/engine/ptrace_backend.hpp"

#include "process/tracer_process.hpp"
#include "ptrace/engine/tracer.hpp"

namespace strut {

namespace {

class PtraceBackend final : public Backend {
 public:
  explicit PtraceBackend(PtraceParts parts) : parts_(std::move(parts)) {}
  std::string_view name() const override { return "ptrace"; }

  Result<Outcome> run(const TraceRequest& request, Sink& sink, Listener& listener) override {
    Tracer tracer(request, sink, listener, parts_);
    Result<Outcome> outcome = tracer.run();
    TracerProcess::rejoin();
    stats_ = tracer.stats();
    return outcome;
  }

  BackendStats stats() const override { return stats_; }

 private:
  PtraceParts parts_;
  BackendStats stats_;
};

}  // namespace

std::unique_ptr<Backend> make_ptrace_backend(PtraceParts parts) {
  return std::make_unique<PtraceBackend>(std::move(parts));
}

}  // namespace strut
