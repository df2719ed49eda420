// Each firing of the unit tests' D programs, done in the kernel, too: records, faults and aggregations are to be
// DMachine's.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <map>

#include "kassist/uprobes/uprobe_removal.hpp"
#include "kassist/uprobes/uprobes.hpp"
#include "kernel_scene.hpp"
#include "tests/unit/dlang/d_scene.hpp"

namespace strut::test {
namespace {

unsigned compared = 0;
std::map<std::string, unsigned> left_out;

struct Beside {
  std::unique_ptr<KernelScene> scene;
};

void compare(DScene& scene) {
  if (!scene.other) {
    auto beside_it = std::make_shared<Beside>();
    scene.other = beside_it;
    DLimits usual;
    // Room is counted otherwise there.
    if (scene.limits.dynamic_bytes != usual.dynamic_bytes ||
        scene.limits.aggregation_bytes != usual.aggregation_bytes) {
      left_out["little memory"]++;
    } else if (const char* why = incomparable(scene.program)) {
      left_out[why]++;
    } else {
      auto made = KernelScene::create(scene.program, scene.limits);
      if (made) beside_it->scene = std::move(*made);
      else {
        left_out[made.error().subject + ": " + made.error().why]++;
        if (made.error().subject.empty()) FAIL_CHECK(disassemble(scene.program) << strut::describe(made.error()));
      }
    }
  }
  KernelScene* kernel = static_cast<Beside*>(scene.other.get())->scene.get();
  if (!kernel) return;
  compared++;
  std::string difference = kernel->fire(scene.probe.arguments);
  if (!difference.empty()) FAIL_CHECK(disassemble(scene.program) << difference);
}

}  // namespace
}  // namespace strut::test

int main(int argc, char** argv) {
  if (auto permitted = strut::uprobe_mechanism(); !permitted) {
    std::printf("SKIP: %s\n0 passed, 0 failed, 1 skipped\n", strut::describe(permitted.error()).c_str());
    return 0;
  }
  strut::test::beside = strut::test::compare;
  doctest::Context context(argc, argv);
  if (auto obstacle = strut::uprobe_obstacle()) {
    std::printf("SKIP: what arms uprobes: %s\n", strut::describe(*obstacle).c_str());
    context.addFilter("test-suite-exclude", "uprobes");
  }
  int status = context.run();
  std::printf("%u firings compared\n", strut::test::compared);
  std::string never;
  for (size_t op = 0; op < strut::op_count(); op++)
    if (!strut::test::compared_instructions().contains(static_cast<strut::DOp>(op)))
      never += ' ' + std::string(strut::row_of(static_cast<strut::DOp>(op)).name);
  std::printf("instructions never compared:%s\n", never.c_str());
  for (const auto& [what, count] : strut::test::left_out) std::printf("left out: %u with %s\n", count, what.c_str());
  return status;
}
