#include "kassist/dtrace/lowering/link.hpp"

#include <cerrno>
#include <vector>

#include <bpf/bpf.h>

#include "kassist/loader/object_types.hpp"
#include "process/interruption.hpp"

namespace strut {
namespace {

/// Replaces a function where the program may sleep.
struct Sleeping {
  std::string_view function, instead;
};
constexpr Sleeping kSleeping[] = {{"touch_page", "touch_page_sleeping"}, {"no_place_comes", "wait_for_place"}};
constexpr size_t kLogBytes = 1 << 20;

/// A program in the making: functions in the order in which they were reached, the main one first.
class Linking {
 public:
  Linking(const DLibrary& library, const DMade& made, bool may_sleep)
      : library_(library), made_(made), may_sleep_(may_sleep) {}

  Result<void> reach(std::string_view main) {
    TRY(place_of(main));
    for (size_t i = 0; i < reached_.size(); i++)
      for (const DFunction::Reference& reference : reached_[i].function->references) {
        uint32_t target = TRY(place_of(reference.target));
        uint32_t at = reached_[i].begin + reference.at;
        patches_.push_back({at, target});
      }
    for (const Patch& patch : patches_)
      code_[patch.at].imm = static_cast<int32_t>(reached_[patch.target].begin) - static_cast<int32_t>(patch.at) - 1;
    return {};
  }

  const std::vector<bpf_insn>& code() const { return code_; }
  std::vector<bpf_func_info> infos() const {
    std::vector<bpf_func_info> infos;
    for (const Reached& one : reached_) infos.push_back({one.begin, one.function->type});
    return infos;
  }

 private:
  struct Reached {
    const DFunction* function;
    uint32_t begin;
  };
  struct Patch {
    uint32_t at, target;
  };

  /// Which of those reached it is; it is now.
  Result<uint32_t> place_of(std::string_view name) {
    for (const Sleeping& one : kSleeping)
      if (may_sleep_ && name == one.function) name = one.instead;
    auto [at, is_new] = places_.try_emplace(name, static_cast<uint32_t>(reached_.size()));
    if (!is_new) return at->second;
    auto own = made_.find(name);
    const DFunction* function = own != made_.end() ? &own->second : library_.find(name);
    if (!function) return fail({0, "link the D program", std::string(name), "there is no such function", {}});
    reached_.push_back({function, static_cast<uint32_t>(code_.size())});
    code_.insert(code_.end(), function->code.begin(), function->code.end());
    return at->second;
  }

  const DLibrary& library_;
  const DMade& made_;
  bool may_sleep_;
  std::unordered_map<std::string_view, uint32_t> places_;
  std::vector<Reached> reached_;
  std::vector<Patch> patches_;
  std::vector<bpf_insn> code_;
};

/// The verifier's last message, without its statistics.
std::string last_word(std::string_view log) {
  std::string last;
  while (!log.empty()) {
    size_t end = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (!line.empty() && line[0] != '\0' && !line.starts_with("processed ")) last = line;
  }
  return last;
}

Error refused_program(int code, std::string why) {
  Error error = refused("load the D program into the kernel", code);
  error.why = std::move(why);
  if (error.why.find("number of maps per program") != std::string::npos) {  // an aggregation is one
    error.why =
        "clauses at probes of one kind have more aggregations than a program of the kernel has room for, about 50";
    error.advice = "--backend=ptrace has room for any number";
  }
  return error;
}

}  // namespace

Result<OwnedFd> link_and_load(const DLibrary& library, const DMade& made, const DLinked& what) {
  Linking linking(library, made, what.may_sleep);
  TRY_VOID(linking.reach(what.main));
  std::vector<bpf_func_info> infos = linking.infos();
  bpf_prog_load_opts options{};
  options.sz = sizeof options;
  options.expected_attach_type = static_cast<bpf_attach_type>(what.attach_type);
  options.prog_btf_fd = static_cast<uint32_t>(library.types());
  options.prog_flags = what.may_sleep ? BPF_F_SLEEPABLE : 0u;
  options.func_info = infos.data();
  options.func_info_cnt = static_cast<uint32_t>(infos.size());
  options.func_info_rec_size = sizeof(bpf_func_info);
  SignalsHeldBack held_back;
  auto load = [&] {
    return bpf_prog_load(what.type, "strut_d", "Dual BSD/GPL", linking.code().data(), linking.code().size(), &options);
  };
  OwnedFd program(load());
  if (program) return program;
  int code = -program.number();
  std::string log(kLogBytes, '\0');
  options.log_buf = log.data();
  options.log_size = static_cast<uint32_t>(log.size());
  options.log_level = 1;
  OwnedFd again(load());
  if (again) return again;
  return fail(refused_program(code, last_word(log.c_str())));
}

}  // namespace strut
