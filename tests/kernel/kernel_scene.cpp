#include "kernel_scene.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kassist/wire/dtrace_wire.h"

namespace strut::test {
namespace {

std::string read_file(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Variables of threads and elements of arrays have other addresses in the kernel.
uint64_t comparable(uint64_t address) { return address - kDFirstWindow < uint64_t{1} << 40 ? kDFirstWindow : address; }

constexpr std::string_view kNames[] = {"dtrace", "module", "function", "BEGIN"};

}  // namespace

LiveProbe::LiveProbe() : memory_(Tid{::getpid()}) {}

bool LiveProbe::knows(DBuiltin which) {
  static const std::set<DBuiltin> kKnown = {
      DBuiltin::Pid,       DBuiltin::Tid,       DBuiltin::Ppid,    DBuiltin::Uid,       DBuiltin::Gid,
      DBuiltin::Execname,  DBuiltin::Cwd,       DBuiltin::Root,    DBuiltin::Execargs,  DBuiltin::Id,
      DBuiltin::Errno,     DBuiltin::Ipl,       DBuiltin::Caller,  DBuiltin::Probeprov, DBuiltin::Probemod,
      DBuiltin::Probefunc, DBuiltin::Probename, DBuiltin::Zonename};
  return kKnown.contains(which);
}

uint64_t LiveProbe::integer(DBuiltin which) {
  switch (which) {
    case DBuiltin::Pid: return static_cast<uint64_t>(::getpid());
    case DBuiltin::Tid: return static_cast<uint64_t>(::syscall(SYS_gettid));
    case DBuiltin::Ppid: return static_cast<uint64_t>(::getppid());
    case DBuiltin::Uid: return ::getuid();
    case DBuiltin::Gid: return ::getgid();
    case DBuiltin::Id: return 7;
    default: return 0;
  }
}

std::string_view LiveProbe::text(DBuiltin which) {
  switch (which) {
    case DBuiltin::Execname:
      text_ = read_file("/proc/self/comm");
      text_.pop_back();
      break;
    case DBuiltin::Cwd:
      text_ = read_file("/dev/null"), text_.resize(4096),
      text_.resize(std::strlen(::getcwd(text_.data(), text_.size())));
      break;
    case DBuiltin::Root: text_ = "/"; break;
    case DBuiltin::Execargs:
      text_ = read_file("/proc/self/cmdline");
      text_.pop_back();
      std::replace(text_.begin(), text_.end(), '\0', ' ');
      break;
    case DBuiltin::Probeprov: return kNames[0];
    case DBuiltin::Probemod: return kNames[1];
    case DBuiltin::Probefunc: return kNames[2];
    case DBuiltin::Probename: return kNames[3];
    case DBuiltin::Zonename: return "global";
    default: return {};
  }
  return text_;
}

uint64_t LiveProbe::member(DSubject, uint64_t, DMemberName member) {
  switch (member) {
    case DMemberName::ProcessPid: return integer(DBuiltin::Pid);
    case DMemberName::ProcessParent: return integer(DBuiltin::Ppid);
    case DMemberName::ProcessGroup: return static_cast<uint64_t>(::getpgrp());
    case DMemberName::ProcessSession: return static_cast<uint64_t>(::getsid(0));
    case DMemberName::ProcessUid: return ::getuid();
    case DMemberName::ProcessEuid: return ::geteuid();
    case DMemberName::ProcessGid: return ::getgid();
    case DMemberName::ProcessEgid: return ::getegid();
    case DMemberName::ThreadId: return integer(DBuiltin::Tid);
    default: return 0;
  }
}

std::string_view LiveProbe::member_text(DSubject, uint64_t, DMemberName member) {
  return text(member == DMemberName::ProcessArguments ? DBuiltin::Execargs : DBuiltin::Execname);
}

bool LiveProbe::is_progeny_of(int64_t pid) {
  for (int64_t above = ::getpid(); above > 0;) {
    if (above == pid) return true;
    std::string stat = read_file(("/proc/" + std::to_string(above) + "/stat").c_str());
    size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos) return false;
    above = std::strtol(stat.c_str() + name_end + 4, nullptr, 10);
  }
  return false;
}

bool LiveProbe::write_memory(Addr at, std::span<const std::byte> bytes) {
  iovec from{const_cast<std::byte*>(bytes.data()), bytes.size()}, to{reinterpret_cast<void*>(raw(at)), bytes.size()};
  return ::process_vm_writev(::getpid(), &from, 1, &to, 1, 0) == static_cast<ssize_t>(bytes.size());
}

const char* incomparable(const DProgram& program) {
  for (const DInstruction& i : program.code) {
    switch (i.op) {
      case DOp::Random: return "rand()";
      case DOp::KeyUserStack:
      case DOp::PutUserStack: return "ustack()";
      case DOp::Raise: return "raise()";
      case DOp::TypedArgument:
      case DOp::TypedArgumentText: return "args[]";
      case DOp::Builtin:
      case DOp::BuiltinText:
        if (!LiveProbe::knows(static_cast<DBuiltin>(i.imm))) return "a built-in variable";
        break;
      case DOp::Member:
      case DOp::MemberText:
        if (static_cast<DSubject>(i.c) != DSubject::Current) return "a member";
        break;
      default: break;
    }
  }
  return nullptr;
}

std::set<DOp>& compared_instructions() {
  static std::set<DOp> all;
  return all;
}

Result<std::unique_ptr<KernelScene>> KernelScene::create(const DProgram& of, const DLimits& limits) {
  auto scene = std::make_unique<KernelScene>();
  scene->program = of;
  scene->program.settings.strsize = limits.text_bytes - 1;
  scene->program.settings.scratchsize = limits.scratch_bytes;
  scene->program.settings.dynvarsize = limits.dynamic_bytes;
  scene->program.settings.aggsize = limits.aggregation_bytes;
  DTuning tuning{.ring_bytes = 1 << 20, .stack_bytes = 4096, .uprobes = {}};
  scene->kernel = std::make_unique<DKernelProgram>(TRY(DKernelProgram::load(scene->program, tuning)));
  scene->ring = std::make_unique<RingReader>(TRY(RingReader::map(scene->kernel->ring(), scene->kernel->ring_bytes())));
  for (uint32_t i = 0; i < of.clauses.size(); i++) scene->clauses.push_back(i);
  DProbe probe{.id = 7,
               .provider = kNames[0],
               .module = kNames[1],
               .function = kNames[2],
               .name = kNames[3],
               .trigger = {},
               .clauses = scene->clauses};
  TRY_VOID(scene->kernel->add_probes({&probe, 1}));
  TRY(scene->kernel->program(DHook::Fire));
  scene->machine = std::make_unique<DMachine>(scene->program, limits);
  scene->taken = std::make_unique<DAggregations>(scene->program, limits.aggregation_bytes);
  return scene;
}

/// exit() ends the firing: the clauses behind are not run.
std::vector<ClauseOutcome> KernelScene::interpreted() {
  std::vector<ClauseOutcome> outcomes;
  bool had_left = machine->exit_status().has_value();
  machine->begin_firing();
  for (uint32_t clause : clauses) {
    DOutcome outcome = machine->run(clause, probe);
    if (outcome.fault != DFault::None || !outcome.record.empty())
      outcomes.push_back({clause,
                          outcome.fault,
                          comparable(outcome.address),
                          outcome.code,
                          {outcome.record.begin(), outcome.record.end()}});
    if (!had_left && machine->exit_status()) break;
  }
  return outcomes;
}

std::vector<ClauseOutcome> KernelScene::recorded() {
  std::vector<ClauseOutcome> outcomes;
  for (;;) {
    std::span<const std::byte> bytes = ring->peek(1 << 16), rest = bytes;
    if (bytes.empty()) return outcomes;
    while (!rest.empty()) {
      uint32_t length;
      std::memcpy(&length, rest.data(), sizeof length);
      d_record record;
      std::memcpy(&record, rest.data() + 8, sizeof record);
      auto items = rest.subspan(8 + sizeof record, record.item_bytes);
      if (record.kind == D_FAULTED)
        outcomes.push_back(
            {record.clause, static_cast<DFault>(record.fault), comparable(record.address), record.code, {}});
      else outcomes.push_back({record.clause, DFault::None, 0, 0, {items.begin(), items.end()}});
      rest = rest.subspan((8 + length + 7) & ~size_t{7});
    }
    ring->release(bytes.size());
  }
}

std::string KernelScene::compare_aggregations() {
  if (auto merged = kernel->merge_aggregations(*taken); !merged) return strut::describe(merged.error());
  for (uint32_t i = 0; i < program.aggregations.size(); i++) {
    auto ours = machine->aggregations().rows(i, {.by_key = true}), theirs = taken->rows(i, {.by_key = true});
    bool same = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), [](const DRow& a, const DRow& b) {
      return std::ranges::equal(a.key, b.key) && std::ranges::equal(a.words, b.words);
    });
    if (same) continue;
    std::string text = "@" + program.aggregations[i].name + ": " + std::to_string(ours.size()) + " and " +
                       std::to_string(theirs.size()) + " elements";
    for (const auto* rows : {&ours, &theirs})
      for (const DRow& row : *rows) {
        text += rows == &ours ? "\n  machine" : "\n  kernel ";
        for (int64_t word : row.words) text += ' ' + std::to_string(word);
      }
    return text;
  }
  return {};
}

std::string KernelScene::fire(const std::vector<uint64_t>& arguments) {
  for (const DInstruction& i : program.code) compared_instructions().insert(i.op);
  probe.arguments = arguments;
  auto expected = interpreted();
  if (auto fired = kernel->fire(0, arguments); !fired) return strut::describe(fired.error());
  auto got = recorded();
  if (got != expected) return "machine: " + describe(expected) + "\n  kernel:  " + describe(got);
  if (machine->exit_status() != kernel->control().exit_status()) return "exit status";
  return compare_aggregations();
}

std::string describe(const std::vector<ClauseOutcome>& outcomes) {
  std::string text;
  for (const ClauseOutcome& one : outcomes) {
    text += " [clause " + std::to_string(one.clause);
    if (one.fault != DFault::None)
      text += ' ' + strut::describe(one.fault, one.address) + " at " + std::to_string(one.code);
    char digits[4];
    for (std::byte byte : one.record) {
      std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(byte));
      text += digits;
    }
    text += ']';
  }
  return text;
}

}  // namespace strut::test
