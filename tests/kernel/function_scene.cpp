#include "function_scene.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include "pid-provider/displacement.hpp"
#include "pid-provider/functions.hpp"
#include "pid-provider/points.hpp"
#include "procfs/maps.hpp"
#include "ptrace/engine/brake.hpp"
#include "ptrace/engine/launch_watch.hpp"

namespace strut::test {

// -- which -------------------------------------------------------------------------------------------------

namespace {

FunctionSite::Kind kind_of(PidProbe::Kind kind, ReturnSite::Kind way) {
  if (kind == PidProbe::Kind::Entry) return FunctionSite::Kind::Entry;
  return way == ReturnSite::Kind::Return ? FunctionSite::Kind::Return : FunctionSite::Kind::Jump;
}

void add_sites(const ProbeList& list, uint32_t function, std::vector<FunctionSite>& into) {
  for (const PidProbe& probe : list.probes)
    for (uint32_t i = 0; i < probe.sites; i++) {
      const ProbeSite& site = list.sites[probe.first_site + i];
      FunctionSite made{.function = function,
                        .kind = kind_of(probe.kind, site.kind),
                        .condition = site.condition,
                        .file_offset = site.file_offset};
      if (site.uprobe) made.uprobe_offset = site.file_offset + (site.uprobe->address - site.address);
      into.push_back(made);
    }
}

}  // namespace

std::vector<FunctionCode> NamedFunctions::code_changed(Pid pid) {
  looks_++;
  std::vector<FunctionCode> code;
  auto maps = maps_of(pid);
  if (!maps) return code;
  bool is_program = true;
  for (const Mapping& mapping : *maps) {
    if (!mapping.executable || mapping.inode == 0) continue;
    uint64_t device = uint64_t{mapping.device_major} << 32 | mapping.device_minor;
    if (seen_.emplace(device, mapping.inode).second)
      if (FunctionCode one = code_of(mapping, pid, is_program); !one.sites.empty()) code.push_back(std::move(one));
    is_program = false;
  }
  return code;
}

FunctionCode NamedFunctions::code_of(const Mapping& mapping, Pid pid, bool is_program) {
  FunctionCode code{
      .path = map_file_path(pid, mapping), .device = 0, .inode = mapping.inode, .sites = {}, .displace = {}};
  auto elf = ElfFile::open(code.path);
  if (!elf) return code;
  struct stat status{};
  if (::stat(code.path.c_str(), &status) == 0) code.device = status.st_dev;
  auto& module = modules_.emplace_back(std::make_unique<ModuleFile>(std::move(*elf), mapping.path, ""));
  code.displace = [file = module.get()](const FunctionSite& site) {
    return displaced_at(file->elf(), site.file_offset);
  };
  ModuleFunctions functions(*module);
  for (const Wanted& wanted : wanted_) {
    std::string_view file = std::string_view(mapping.path).substr(mapping.path.rfind('/') + 1);
    if (wanted.module != (is_program ? "a.out" : file)) continue;
    PidPattern pattern{.function = std::string(wanted.desc->name)};
    ProbeList list;
    for (PidPattern::Place place : {PidPattern::Place::Entry, PidPattern::Place::Return}) {
      pattern.place = place;
      if (auto added = add_probes(functions, pattern, {}, list); !added) complaints_.push_back(added.error().text);
    }
    if (list.probes.empty()) continue;
    auto index = static_cast<uint32_t>(functions_.size());
    functions_.push_back(
        std::make_unique<TracedFunction>(TracedFunction{.desc = wanted.desc,
                                                        .symbol = wanted.desc->name,
                                                        .module = wanted.module,
                                                        .callers = wanted.callers,
                                                        .may_replace_return = wanted.may_replace_return,
                                                        .wants_returns = wanted.wants_returns}));
    add_sites(list, index, code.sites);
  }
  std::ranges::stable_sort(code.sites, {}, &FunctionSite::file_offset);
  return code;
}

void NamedFunctions::refused(const FunctionCode&, const FunctionSite& site, std::string_view why) {
  complaints_.push_back(std::string(functions_[site.function]->symbol) + ": " + std::string(why));
}

// -- reported events ----------------------------------------------------------------------------------------

Result<void> Reported::take(const Event& event) {
  uint64_t& last_ns = last_ns_[raw(event.thread.tid)];
  out_of_order += event.at.monotonic_ns < last_ns;
  last_ns = event.at.monotonic_ns;
  if (auto* one = std::get_if<FunctionHitEvent>(&event.what)) {
    threads.insert(raw(event.thread.tid));
    hit(*one->hit);
  } else if (std::holds_alternative<ExecutedEvent>(event.what)) {
    lines.push_back("exec");
  } else if (auto* exited = std::get_if<ExitedEvent>(&event.what)) {
    lines.push_back("exit " + std::to_string(exited->status));
  } else if (auto* killed = std::get_if<KilledEvent>(&event.what)) {
    lines.push_back("killed " + std::to_string(killed->signal));
  } else if (auto* signal = std::get_if<SignalEvent>(&event.what)) {
    lines.push_back("signal " + std::to_string(signal->number));
  } else if (auto* missing = std::get_if<LostEvent>(&event.what)) {
    lost += missing->count;
  } else if (auto* attached = std::get_if<AttachedEvent>(&event.what)) {
    parents[raw(event.thread.tid)] = raw(attached->parent);
  } else if (auto* entered = std::get_if<EnterEvent>(&event.what)) {
    lines.push_back("call " + std::string(entered->call->desc->name));
  }
  return {};
}

void Reported::hit(const FunctionHit& hit) {
  std::string name(functions_.function(hit.function).symbol);
  std::string shown = show_ ? show_(hit) : "";
  switch (hit.kind) {
    case FunctionSite::Kind::Entry:
      entries_[name]++;
      lines.push_back("> " + name + shown);
      break;
    case FunctionSite::Kind::Return:
    case FunctionSite::Kind::Behind:
      returns_[name]++;
      lines.push_back("< " + name + shown);
      break;
    case FunctionSite::Kind::Jump: lines.push_back("~ " + name + shown); break;
    case FunctionSite::Kind::Outward: lines.push_back("^"); break;
  }
}

size_t Reported::count(std::string_view line) const { return static_cast<size_t>(std::ranges::count(lines, line)); }

std::string text_at(const FunctionHit& hit, uint64_t at) {
  char text[64] = {};
  ReadOutcome got = hit.scene.memory.read_string(Addr{at}, std::span(text, sizeof text - 1));
  return got.bytes == 0 ? "?" : std::string(text);
}

std::map<std::string, uint64_t> counts_of(const std::string& output) {
  std::map<std::string, uint64_t> counts;
  char name[64];
  unsigned long number;
  std::FILE* file = std::fopen(output.c_str(), "r");
  REQUIRE_MESSAGE(file, output);
  while (std::fscanf(file, "%63s %lu", name, &number) == 2) counts[name] = number;
  std::fclose(file);
  return counts;
}

// -- a run ---------------------------------------------------------------------------------------------------

namespace {

class Said final : public Listener {
 public:
  void say(std::string_view line) override { lines.emplace_back(line); }
  std::vector<std::string> lines;
};

}  // namespace

Result<Traced> trace(const TraceRequest& request, Reported& reported) {
  Said said;
  auto backend =
      make_kassist_backend({.make_brake = make_ptrace_brake, .make_launch_watch = make_launch_watch}, nullptr);
  Traced traced;
  traced.outcome = TRY(backend->run(request, reported, said));
  traced.stats = backend->stats();
  traced.said = said.lines;
  return traced;
}

Traced trace(const std::vector<std::string>& argv, NamedFunctions& functions, Reported& reported,
             const std::function<void(TraceRequest&)>& change) {
  TraceRequest request;
  request.launch = Launch{.path = argv[0], .argv = argv, .environment = {}, .user = {}};
  request.calls = {};
  request.functions = &functions;
  if (change) change(request);
  auto traced = trace(request, reported);
  REQUIRE_MESSAGE(traced, describe(traced.error()));
  CHECK(reported.out_of_order == 0);
  return *traced;
}

}  // namespace strut::test
