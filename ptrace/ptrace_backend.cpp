#include "ptrace/ptrace_backend.hpp"

#include "ptrace/tracer.hpp"

namespace strut {

namespace {

class PtraceBackend final : public Backend {
 public:
  std::string_view name() const override { return "ptrace"; }

  Result<Outcome> run(const TraceRequest& request, Sink& sink, Listener& listener) override {
    Tracer tracer(request, sink, listener);
    Result<Outcome> outcome = tracer.run();
    stats_ = tracer.stats();
    return outcome;
  }

  BackendStats stats() const override { return stats_; }

 private:
  BackendStats stats_;
};

}  // namespace

std::unique_ptr<Backend> make_ptrace_backend() { return std::make_unique<PtraceBackend>(); }

}  // namespace strut
