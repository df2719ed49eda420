// Cost of a traced function call under ptrace, with no output: the tracer's own part.
//
// make build/release/bench-functions. Usage: bench-functions [-f] [-S] [-i] [-p PID] PATTERN[,PATTERN…] [COMMAND
// [ARG…]], a pattern being MODULE:FUNCTION as the pid provider has it. -i: every instruction is a site. Prints the hits
// of each site.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "pid-provider/displacement.hpp"
#include "pid-provider/points.hpp"
#include "ptrace/engine/ptrace_backend.hpp"
#include "symtab/elf/dynamic.hpp"
#include "symtab/process/process_modules.hpp"
#include "trace/backend.hpp"
#include "trace/event.hpp"
#include "trace/function_points.hpp"

namespace strut {
namespace {

FunctionSite::Kind kind_of(const PidProbe& probe, const ProbeSite& site) {
  if (probe.kind != PidProbe::Kind::Return) return FunctionSite::Kind::Entry;
  return site.kind == ReturnSite::Kind::Return ? FunctionSite::Kind::Return : FunctionSite::Kind::Jump;
}

class Points final : public FunctionPoints {
 public:
  std::vector<std::pair<std::string, std::string>> patterns;
  bool every_instruction = false;

  std::vector<FunctionCode> code_changed(Pid pid) override {
    std::vector<FunctionCode> fresh;
    auto mappings = maps_of(pid);
    auto program = stat_of(("/proc/" + std::to_string(raw(pid)) + "/exe").c_str());
    for (size_t i = 0; mappings && i < mappings->size(); i++) {
      const Mapping& mapping = (*mappings)[i];
      if (!mapping.executable || mapping.inode == 0 || !seen_.insert({mapping.inode, mapping.path}).second) continue;
      auto file = cache_.file_of(pid, mapping);
      std::string path = opened_path(pid, mapping);
      auto id = stat_of(path.c_str());
      if (!file || path.empty()) continue;
      FunctionCode code{path, id.first, id.second, {}, [file](const FunctionSite& site) {
                          return displaced_at(file->elf(), site.file_offset);
                        }};
      for (auto& [module, function] : patterns)
        if (module_matches(module, {mapping.path, soname(file->elf()), id == program}))
          add(*file, mapping.path, function, code);
      std::stable_sort(code.sites.begin(), code.sites.end(),
                       [](auto& a, auto& b) { return a.file_offset < b.file_offset; });
      if (!code.sites.empty()) fresh.push_back(std::move(code));
    }
    return fresh;
  }
  void refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) override {
    std::fprintf(stderr, "%s+%#lx: %.*s\n", code.path.c_str(), site.file_offset, static_cast<int>(why.size()),
                 why.data());
  }
  const TracedFunction& function(uint32_t index) const override { return functions_[index]; }
  std::optional<int64_t> errno_place(Pid) const override { return std::nullopt; }

 private:
  static std::pair<uint64_t, uint64_t> stat_of(const char* path) {
    struct stat status{};
    ::stat(path, &status);
    return {status.st_dev, status.st_ino};
  }
  void add(const ModuleFile& file, const std::string& path, const std::string& function, FunctionCode& code) {
    static const FunctionDesc kUnknown{.name = {}, .known = false};
    ModuleFunctions functions(file);
    ProbeList list;
    std::vector<PidPattern::Place> places{PidPattern::Place::Entry, PidPattern::Place::Return};
    if (every_instruction) places = {PidPattern::Place::Matching};
    for (PidPattern::Place place : places) {
      PidPattern pattern;
      pattern.function = function;
      pattern.place = place;
      (void)add_probes(functions, pattern, {}, list);
    }
    size_t before = functions_.size();
    for (const ProbedFunction& one : list.functions) {
      texts_.push_back(std::string(one.name));
      texts_.push_back(path);
      functions_.push_back({&kUnknown, *(texts_.end() - 2), texts_.back(), FunctionLabel::Name, {}, false, true});
    }
    for (const PidProbe& probe : list.probes)
      for (uint32_t i = probe.first_site; i < probe.first_site + probe.sites; i++) {
        const ProbeSite& site = list.sites[i];
        code.sites.push_back({static_cast<uint32_t>(before) + probe.function,
                              kind_of(probe, site),
                              probe.kind == PidProbe::Kind::Return ? site.condition : kNoCondition,
                              site.file_offset,
                              {}});
      }
  }

  ModuleCache cache_;
  std::set<std::pair<uint64_t, std::string>> seen_;
  std::deque<std::string> texts_;
  std::deque<TracedFunction> functions_;
};

class Count final : public Sink {
 public:
  explicit Count(const Points& points) : points_(points) {}
  Result<void> take(const Event& event) override {
    if (auto* hit = std::get_if<FunctionHitEvent>(&event.what)) {
      counts_[{points_.function(hit->hit->function).symbol, hit->hit->kind}]++;
    } else {
      others_[event.what.index()]++;
    }
    return {};
  }
  Result<void> flush() override { return {}; }
  Result<void> finish() override {
    static constexpr const char* kKinds[] = {"entry", "return", "jump", "outward"};
    uint64_t all = 0;
    for (auto& [key, count] : counts_) {
      std::fprintf(stderr, "%.*s:%s %lu\n", static_cast<int>(key.first.size()), key.first.data(),
                   kKinds[static_cast<int>(key.second)], count);
      all += count;
    }
    std::fprintf(stderr, "hits %lu\n", all);
    for (auto& [index, count] : others_) std::fprintf(stderr, "event%zu %lu\n", index, count);
    return {};
  }

 private:
  const Points& points_;
  std::map<std::pair<std::string_view, FunctionSite::Kind>, uint64_t> counts_;
  std::map<size_t, uint64_t> others_;
};

class Complain final : public Listener {
 public:
  void say(std::string_view line) override {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  }
};

int run(int argc, char** argv) {
  TraceRequest request;
  Points points;
  request.functions = &points;
  request.calls = {};
  for (int option; (option = ::getopt(argc, argv, "+fSip:")) != -1;) {
    if (option == 'f') request.follow = true;
    if (option == 'S') request.calls = SyscallSet::all();
    if (option == 'i') points.every_instruction = true;
    if (option == 'p') request.attach.push_back(Pid{std::atoi(optarg)});
    if (option == '?') return 2;
  }
  if (optind == argc) return 2;
  std::string patterns = argv[optind++];
  for (char* word = std::strtok(patterns.data(), ","); word; word = std::strtok(nullptr, ",")) {
    char* colon = std::strchr(word, ':');
    if (!colon) return 2;
    points.patterns.emplace_back(std::string(word, colon), colon + 1);
  }
  if (optind < argc) request.launch = Launch{argv[optind], {argv + optind, argv + argc}, {}, {}};
  Count count(points);
  Complain complain;
  uint64_t began_ns = monotonic_ns();
  auto outcome = make_ptrace_backend({})->run(request, count, complain);
  std::fprintf(stderr, "seconds %.3f\n", static_cast<double>(monotonic_ns() - began_ns) / 1e9);
  (void)count.finish();
  if (!outcome) return std::fprintf(stderr, "%s: %s\n", outcome.error().op.c_str(), outcome.error().subject.c_str()), 1;
  return WIFEXITED(outcome->status) ? WEXITSTATUS(outcome->status) : 128 + WTERMSIG(outcome->status);
}

}  // namespace
}  // namespace strut

int main(int argc, char** argv) { return strut::run(argc, argv); }
