#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/arming_progress.hpp"
#include "cli/common/uprobe_permission.hpp"
#include "kassist/functions/cost_warning.hpp"
#include "kassist/uprobes/uprobe_budget.hpp"

using namespace strut;

namespace {

constexpr Pid kOne{100}, kOther{101};

UprobeDemand demand(size_t uprobes, std::optional<Pid> pid, uint64_t inode = 7) { return {1, inode, pid, uprobes}; }
UprobeLoad load(std::vector<UprobeDemand> demands) { return load_of(demands); }

/// A file that every process of the machine but a static one maps.
UprobeDemand of_libc(size_t uprobes, std::optional<Pid> pid) {
  struct stat file{};
  REQUIRE(::stat("/lib/x86_64-linux-gnu/libc.so.6", &file) == 0);
  return {file.st_dev, file.st_ino, pid, uprobes};
}

}  // namespace

TEST_CASE("uprobe budget: some hundreds for one process, some for all") {
  CHECK(load({demand(200, kOne)}).fits());
  CHECK_FALSE(load({demand(300, kOne)}).fits());
  CHECK(load({demand(15, std::nullopt)}).fits());
  CHECK_FALSE(load({demand(30, std::nullopt)}).fits());
  CHECK(load({}).fits());
}

TEST_CASE("uprobe budget: files and processes add up, and one place of two processes is one uprobe") {
  CHECK(load({demand(150, kOne, 7), demand(150, kOne, 8)}).uprobes == 300);
  CHECK_FALSE(load({demand(150, kOne, 7), demand(150, kOne, 8)}).fits());
  UprobeLoad both = load({demand(150, kOne), demand(150, kOther)});
  CHECK(both.uprobes == 150);
  CHECK(both.exec_ns > load({demand(150, kOne)}).exec_ns);
  CHECK(both.exec_ns < load({demand(300, kOne)}).exec_ns);
}

TEST_CASE("uprobe budget: what no other process maps is free") {
  std::vector<Pid> self{Pid{::getpid()}};
  std::vector<UprobeDemand> shared{of_libc(3000, self[0])}, unmapped{demand(3000, self[0], UINT64_MAX)};
  CHECK(load_on_others(unmapped, self).uprobes == 0);
  CHECK(load_on_others(unmapped, self).fits());
  CHECK(load_on_others(shared, {}).uprobes == 3000);
  CHECK_FALSE(load_on_others(shared, {}).fits());
}

TEST_CASE("uprobe budget: beyond it auto takes breakpoints, and kassist has to be permitted") {
  using enum BackendChoice;
  UprobeLoad little = load({demand(10, kOne)}), much = load({demand(2000, kOne)});
  CHECK(backend_for(little, {Auto}).value() == Auto);
  CHECK(backend_for(little, {Kassist}).value() == Kassist);
  CHECK(backend_for(much, {Auto}).value() == Ptrace);
  CHECK(backend_for(much, {Auto, Instead::Breakpoints, PermittedBy::Number, 5000}).value() == Ptrace);
  CHECK(backend_for(much, {Ptrace}).value() == Ptrace);
  CHECK(backend_for(much, {Kassist, Instead::Breakpoints, PermittedBy::Backend}).value() == Kassist);
  CHECK_FALSE(backend_for(much, {Auto, Instead::Nothing, PermittedBy::Backend}));
  for (auto [wish, instead] : {std::pair(Kassist, Instead::Breakpoints), std::pair(Auto, Instead::Nothing)}) {
    auto refused = backend_for(much, {wish, instead, PermittedBy::Number, 1999});
    REQUIRE_FALSE(refused);
    std::string line = describe(refused.error());
    CHECK(line.find("2,000 uprobes") != std::string::npos);
    CHECK(line.find("maxprobes=2000") != std::string::npos);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(backend_for(much, {wish, instead, PermittedBy::Number, 2000}).value() == wish);
  }
}

TEST_CASE("uprobe budget: what takes long to disarm is done with breakpoints, whichever processes map the file") {
  using enum BackendChoice;
  auto of_unmapped = [](size_t uprobes) {
    return load_on_others(std::vector{demand(uprobes, kOne, UINT64_MAX)}, std::vector{kOne});
  };
  CHECK(backend_for(of_unmapped(200'000), {Auto}).value() == Auto);
  CHECK(backend_for(of_unmapped(380'000), {Auto}).value() == Ptrace);
  CHECK(backend_for(of_unmapped(380'000), {Kassist}).value() == Kassist);
  CHECK(backend_for(of_unmapped(380'000), {Auto, Instead::Nothing}).value() == Auto);
  CHECK(cost_of(of_unmapped(380'000)).value() ==
        "kassist: the 380,000 uprobes of all processes take about 1 s to arm and as long to disarm; --backend=ptrace "
        "does "
        "without them");
}

TEST_CASE("uprobe budget: a message has the cost of uprobes beyond the budget") {
  CHECK_FALSE(cost_of(load({demand(10, kOne)})));
  CHECK(cost_of(load({demand(2000, kOne)})).value() ==
        "kassist: 2,000 uprobes in files that other processes map make each exec on this machine about 195 % slower; "
        "--backend=ptrace does without them");
  std::vector<UprobeDemand> demands{demand(8, kOne)};
  for (int32_t pid = 1; pid <= 60; pid++) demands.push_back(demand(400, Pid{pid}, UINT64_MAX));
  CHECK(
      cost_of(load_on_others(demands, {})).value() ==
      "kassist: the 24,008 uprobes of all processes take about 1 s to arm and as long to disarm; --backend=ptrace does "
      "without them");
}

TEST_CASE("uprobe budget: what comes later is counted with what there is") {
  UprobePermission permission({of_libc(150, kOne)}, {kOne}, {});
  CHECK_FALSE(permission.take(of_libc(3000, kOne)));
  CHECK(permission.take(demand(3000, kOne, UINT64_MAX)));
  CHECK(UprobePermission({}, {kOne}, {BackendChoice::Kassist, Instead::Breakpoints, PermittedBy::Number, 3000})
            .take(of_libc(3000, kOne)));
}

TEST_CASE("cost warning: one line when later code exceeds the budget, none where the cost was reported before") {
  std::vector<UprobeDemand> little{of_libc(10, kOne)}, much{of_libc(3000, kOne)};
  CostWarning warning(cost_of), known(nullptr);
  auto armed = [](CostWarning& of, std::span<const UprobeDemand> all, uint64_t now_ns) {
    of.armed();
    if (of.is_due(now_ns)) of.look(all, {}, now_ns);
  };
  armed(warning, little, 1);
  CHECK_FALSE(warning.take());
  armed(warning, much, 2);
  CHECK(warning.take().value_or("").find("3,000 uprobes") != std::string::npos);
  armed(warning, much, 3'000'000'000);
  armed(known, much, 1);
  CHECK_FALSE(warning.take());
  CHECK_FALSE(known.take());
}

TEST_CASE("cost warning: what is armed within a second after a look is looked at later") {
  std::vector<UprobeDemand> of_nobody_else{demand(3000, kOne, UINT64_MAX)}, much{of_libc(3000, kOne)};
  constexpr uint64_t kSecond_ns = 1'000'000'000;
  CostWarning warning(cost_of);
  warning.armed();
  warning.look(of_nobody_else, {{kOne}}, kSecond_ns);
  CHECK_FALSE(warning.take());
  CHECK_FALSE(warning.is_due(3 * kSecond_ns));
  warning.armed();
  CHECK_FALSE(warning.is_due(kSecond_ns + 1));
  REQUIRE(warning.is_due(2 * kSecond_ns));
  warning.look(much, {}, 2 * kSecond_ns);
  CHECK(warning.take());
}

TEST_CASE("arming progress: shown after a second, over itself, and erased") {
  constexpr uint64_t kSecond_ns = 1'000'000'000, kBegin_ns = 5 * kSecond_ns;
  ArmingProgress progress;
  CHECK_FALSE(progress.at(kBegin_ns, 4096, 380'000));
  CHECK_FALSE(progress.at(kBegin_ns + kSecond_ns - 1, 100'000, 380'000));
  CHECK(progress.at(kBegin_ns + kSecond_ns, 120'000, 380'000).value() == "\r\033[Karming 120,000 of 380,000 probes");
  CHECK_FALSE(progress.at(kBegin_ns + kSecond_ns + 1, 124'000, 380'000));
  CHECK(progress.at(kBegin_ns + 2 * kSecond_ns, 240'000, 380'000));
  CHECK(progress.over().value() == "\r\033[K");
  CHECK_FALSE(progress.over());
  CHECK_FALSE(ArmingProgress().over());
}
