// Functions of real programs, traced by the kernel: the functions, and the reported events.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kassist/syscalls/kassist_backend.hpp"
#include "symtab/process/module.hpp"
#include "trace/function_points.hpp"
#include "trace/request.hpp"
#include "trace/sink.hpp"

namespace strut::test {

/// Functions by their names, in every file that a process maps and that is called so.
class NamedFunctions final : public FunctionPoints {
 public:
  struct Wanted {
    std::string module;        ///< as pid-provider/ has it: "a.out", "libc.so.6"
    const FunctionDesc* desc;  ///< the name is the function's
    bool may_replace_return = false;
    bool wants_returns = true;
    std::vector<CodeFile> callers{};
  };
  explicit NamedFunctions(std::vector<Wanted> wanted) : wanted_(std::move(wanted)) {}

  std::vector<FunctionCode> code_changed(Pid pid) override;
  void refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) override;
  const TracedFunction& function(uint32_t index) const override { return *functions_[index]; }
  std::optional<int64_t> errno_place(Pid) const override { return errno_place_; }

  void set_errno_place(int64_t place) { errno_place_ = place; }
  const std::vector<std::string>& complaints() const { return complaints_; }
  uint32_t looks() const { return looks_; }

 private:
  FunctionCode code_of(const Mapping& mapping, Pid pid, bool is_program);

  std::vector<Wanted> wanted_;
  std::vector<std::unique_ptr<TracedFunction>> functions_;
  std::vector<std::unique_ptr<ModuleFile>> modules_;
  std::set<std::pair<uint64_t, uint64_t>> seen_;
  std::vector<std::string> complaints_;
  std::optional<int64_t> errno_place_;
  uint32_t looks_ = 0;
};

/// The reported events, each as a line: "> greet(93849, 3)", "< greet = 8", "exec", "exit 0".
class Reported final : public Sink {
 public:
  /// `show`: of a hit, the text after its function's name.
  using Show = std::string (*)(const FunctionHit&);
  Reported(const FunctionPoints& functions, Show show) : functions_(functions), show_(show) {}
  Result<void> take(const Event& event) override;
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }

  size_t count(std::string_view line) const;
  /// Entries, returns of this function.
  uint64_t entries(std::string_view function) const { return number(entries_, function); }
  uint64_t returns(std::string_view function) const { return number(returns_, function); }

  std::vector<std::string> lines;
  std::set<int32_t> threads;           ///< those with a hit of a site
  std::map<int32_t, int32_t> parents;  ///< for the new ones
  uint64_t lost = 0;
  uint64_t out_of_order = 0;  ///< events reported after a later one of their thread

 private:
  using Counts = std::map<std::string, uint64_t, std::less<>>;
  static uint64_t number(const Counts& counts, std::string_view function) {
    auto at = counts.find(function);
    return at == counts.end() ? 0 : at->second;
  }
  void hit(const FunctionHit& hit);

  const FunctionPoints& functions_;
  Show show_;
  Counts entries_, returns_;
  std::map<int32_t, uint64_t> last_ns_;
};

/// Runs a command with these functions traced; `change`: of the request, before.
struct Traced {
  Outcome outcome;
  BackendStats stats;
  std::vector<std::string> said;
};
Traced trace(const std::vector<std::string>& argv, NamedFunctions& functions, Reported& reported,
             const std::function<void(TraceRequest&)>& change = {});
/// For a complete request.
Result<Traced> trace(const TraceRequest& request, Reported& reported);

/// "name number" lines of a program's output, the last part of argv being where it goes.
std::map<std::string, uint64_t> counts_of(const std::string& output);

/// Bytes up to a NUL, as the hit's memory has them; "?" where it has none.
std::string text_at(const FunctionHit& hit, uint64_t at);

}  // namespace strut::test
