#include <cerrno>
#include <iterator>

#include "cli/common/message.hpp"
#include "cli/common/numbers.hpp"
#include "cli/strace/injection.hpp"
#include "cli/strace/take.hpp"
#include "syscalls/signal_names.hpp"

namespace strut {
namespace {

constexpr SetWord kQuietWords[] = {
    {"attach", kQuietAttach},
    {"exit", kQuietExit},
    {"exits", kQuietExit},
    {"path-resolution", kQuietPath},
    {"personality", kQuietPersonality},
    {"thread-execve", kQuietSuperseded},
    {"superseded", kQuietSuperseded},
};
constexpr SetWord kFdWords[] = {
    {"path", kFdPath},       {"socket", kFdSocket}, {"dev", kFdDevice},
    {"eventfd", kFdEventfd}, {"pidfd", kFdPidfd},   {"signalfd", kFdSignalfd},
};
enum PidShows : uint32_t { kPidComm = 1, kPidTranslated = 2 };
constexpr SetWord kContextWords[] = {{"full", 1}, {"mismatch", 2}};
constexpr SetWord kPidWords[] = {{"comm", kPidComm}, {"pidns", kPidTranslated}};
enum Status : uint32_t { kSuccessful = 1, kFailed = 2, kUnfinished = 4, kUnavailable = 8, kDetached = 16 };
constexpr SetWord kStatusWords[] = {{"successful", kSuccessful},
                                    {"failed", kFailed},
                                    {"unfinished", kUnfinished},
                                    {"unavailable", kUnavailable},
                                    {"detached", kDetached}};

Taken take_calls(SyscallSet& set, std::string_view value) {
  auto parsed = parse_syscall_set(value);
  if (parsed) return set = std::move(*parsed), Taken{};
  // The only complaint about a set of calls that strace closes with its hint.
  if (parsed.error().code == EINVAL) parsed.error().advice = kTryHelp;
  return fail(std::move(parsed.error()));
}

Taken take_trace(StraceParsing& p, std::string_view value) {
  TRY_VOID(take_calls(p.options.request.calls, value));
  p.options.request.calls.insert_unknown();
  return {};
}
Taken take_abbrev(StraceParsing& p, std::string_view value) {
  return take_calls(p.options.request.decode.abbreviate, value);
}
Taken take_verbose(StraceParsing& p, std::string_view value) {
  return take_calls(p.options.request.decode.dereference, value);
}
Taken take_raw(StraceParsing& p, std::string_view value) { return take_calls(p.options.request.decode.raw, value); }

Taken take_trace_fds(StraceParsing& p, std::string_view value) {
  FdChoice chosen = TRY(parse_fd_set(value));
  if (chosen.none()) chosen.fds = {-1};  // a filter that nothing passes, not the absence of one
  p.options.request.fds = std::move(chosen.fds);
  p.options.request.fds_inverted = chosen.inverted;
  return {};
}
Taken take_read(StraceParsing& p, std::string_view value) {
  p.options.request.decode.dump_reads = TRY(parse_fd_set(value));
  return {};
}
Taken take_write(StraceParsing& p, std::string_view value) {
  p.options.request.decode.dump_writes = TRY(parse_fd_set(value));
  return {};
}
Taken take_signal(StraceParsing& p, std::string_view value) {
  p.options.request.signals = TRY(parse_signal_set(value));
  p.signals_chosen = true;
  return {};
}
Taken take_status(StraceParsing& p, std::string_view value) {
  uint32_t bits = TRY(parse_word_set(value, kStatusWords, "status"));
  p.options.request.status = {(bits & kSuccessful) != 0, (bits & kFailed) != 0, (bits & kUnfinished) != 0,
                              (bits & kUnavailable) != 0, (bits & kDetached) != 0};
  return {};
}
Taken take_quiet(StraceParsing& p, std::string_view value) {
  p.quiet.spelled = true;
  p.quiet_bits = TRY(parse_word_set(value, kQuietWords, "quiet"));
  return {};
}
Taken take_decode_fds(StraceParsing& p, std::string_view value) {
  p.fds.spelled = true;
  p.options.style.fd_shows = uint8_t(TRY(parse_word_set(value, kFdWords, "decode-fds")));
  return {};
}
Taken take_decode_pids(StraceParsing& p, std::string_view value) {
  uint32_t bits = TRY(parse_word_set(value, kPidWords, "decode-pids"));
  p.options.request.decode.comms = (bits & kPidComm) != 0;
  p.options.request.decode.translate_pids = (bits & kPidTranslated) != 0;
  return {};
}
Taken take_inject(StraceParsing& p, std::string_view value) {
  Injection injection = TRY(parse_injection(value, InjectionKind::Inject));
  if (auto warning = injection.retval ? warn_of_retval(*injection.retval) : std::nullopt)
    p.warnings.push_back(*warning);
  add_injection(p.options.request.injections, std::move(injection));
  return {};
}
Taken take_fault(StraceParsing& p, std::string_view value) {
  add_injection(p.options.request.injections, TRY(parse_injection(value, InjectionKind::Fault)));
  return {};
}
Taken take_kvm(StraceParsing&, std::string_view value) {
  if (value != "vcpu" && value != "vcpu+") return refuse("invalid -e kvm= argument: '" + std::string(value) + "'");
  return refuse("exit reasons of kvm vcpus (-e kvm=vcpu) are not supported by this build of strut");
}
Taken take_namespace(StraceParsing& p, std::string_view value) {
  if (value != "new") return refuse("invalid -e namespace= argument: '" + std::string(value) + "'");
  p.options.request.decode.new_namespaces = true;
  return {};
}

Taken take_secontext(StraceParsing& p, std::string_view value) {
  TRY(parse_word_set(value, kContextWords, "secontext"));
  p.options.style.secontext = true;
  return {};
}

struct Qualifier {
  std::string_view name;
  Taken (*take)(StraceParsing&, std::string_view value);
};
constexpr Qualifier kQualifiers[] = {
    {"trace", take_trace},
    {"t", take_trace},
    {"trace-fds", take_trace_fds},
    {"trace-fd", take_trace_fds},
    {"fds", take_trace_fds},
    {"fd", take_trace_fds},
    {"abbrev", take_abbrev},
    {"a", take_abbrev},
    {"verbose", take_verbose},
    {"v", take_verbose},
    {"raw", take_raw},
    {"x", take_raw},
    {"signal", take_signal},
    {"signals", take_signal},
    {"s", take_signal},
    {"status", take_status},
    {"read", take_read},
    {"reads", take_read},
    {"r", take_read},
    {"write", take_write},
    {"writes", take_write},
    {"w", take_write},
    {"fault", take_fault},
    {"inject", take_inject},
    {"quiet", take_quiet},
    {"silent", take_quiet},
    {"silence", take_quiet},
    {"q", take_quiet},
    {"decode-fds", take_decode_fds},
    {"decode-fd", take_decode_fds},
    {"decode-pids", take_decode_pids},
    {"decode-pid", take_decode_pids},
    {"kvm", take_kvm},
    {"namespace", take_namespace},
    {"secontext", take_secontext},
};

}  // namespace

Result<void> take_qualifier(StraceParsing& parsing, std::string_view qualifier, std::string_view value) {
  for (const Qualifier& known : kQualifiers)
    if (known.name == qualifier) return known.take(parsing, value);
  CHECK_THAT(!"a qualifier that is an option is no qualifier");
  return {};
}

std::vector<std::string> strace_qualifiers() {
  std::vector<std::string> names;
  for (size_t i = 0; i < std::size(kQualifiers); i++)
    if (i == 0 || kQualifiers[i].take != kQualifiers[i - 1].take) names.emplace_back(kQualifiers[i].name);
  return names;
}

Result<void> take_qualifier(StraceParsing& parsing, std::string_view expression) {
  size_t equals = expression.find('=');
  if (equals != std::string_view::npos)
    for (const Qualifier& known : kQualifiers)
      if (known.name == expression.substr(0, equals)) return known.take(parsing, expression.substr(equals + 1));
  return take_trace(parsing, expression);
}

}  // namespace strut
