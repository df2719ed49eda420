// Where values go that the kernel does not know: compiled programs, looked at.
#include <doctest/doctest.h>

#include "dlang/compiler/compile.hpp"
#include "kassist/dtrace/late_values.hpp"

using namespace strut;

namespace {

DProgram compiled(std::string text) {
  DSource source{std::move(text)};
  auto program = compile_d({.sources = {&source, 1}});
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : describe(program.error())));
  return *std::move(program);
}

std::string refused(std::string text) {
  auto values = late_values(compiled(std::move(text)));
  return values ? "" : values.error().subject;
}

size_t takers(std::string text) {
  auto values = late_values(compiled(std::move(text)));
  REQUIRE(values.has_value());
  return values->takers.size();
}

}  // namespace

TEST_CASE("late values of D: a caller is known to the kernel at entries and returns, and nowhere else") {
  CHECK(takers("pid7::f:entry,pid7::f:return { trace(ucaller); this->c = ucaller; }") == 0);
  CHECK(takers("pid7::f:entry,pid7::f:1f { trace(ucaller); }") == 1);
  CHECK(takers("pid7::f: { usym(ucaller); }") == 1);
  CHECK(takers("syscall::read:entry { trace(ucaller); } syscall::write:entry { trace(arg0); }") == 1);
  CHECK(takers("pid7::f:entry { trace(ustackdepth); }") == 1);
}

TEST_CASE("late values of D: items, keys and values are found by their places") {
  DProgram program = compiled(
      "syscall::read:entry { printf(\"%d %s %d\", arg0, execname, ustackdepth); @a[execname, usym(ucaller)] = "
      "max(ustackdepth); @b[arg0] = count(); }");
  auto values = late_values(program);
  REQUIRE(values.has_value());
  CHECK(values->items.size() == 1);
  CHECK(values->item(0, 2) == DLateValue::Depth);
  CHECK(values->item(0, 0) == DLateValue::None);
  CHECK(values->aggregations == std::set<uint32_t>{0});
  REQUIRE(values->keys.size() == 1);
  auto [aggregate, key] = values->keys.begin()->first;
  CHECK(key == 1);
  CHECK(values->key(aggregate, 1) == DLateValue::Caller);
  CHECK(values->taken_by(aggregate) == DLateValue::Depth);
  CHECK(program.code[aggregate].op == DOp::Aggregate);
}

TEST_CASE("late values of D: what looks at one in the kernel is refused") {
  CHECK(refused("syscall::read:entry /ustackdepth > 3/ { trace(1); }") == "ustackdepth");
  CHECK(refused("syscall::read:entry { this->d = ustackdepth; }") == "ustackdepth");
  CHECK(refused("syscall::read:entry { trace(ucaller + 1); }") == "ucaller");
  CHECK(refused("syscall::read:entry { x[ucaller] = 1; }") == "ucaller");
  CHECK(refused("syscall::read:entry { trace(arg0 ? ucaller : 0); }") == "ucaller");
  CHECK(refused("syscall::read:entry { trace(arg0 ? ucaller : ustackdepth); }") != "");
  CHECK(refused("syscall::read:entry { @ = quantize(arg0, ustackdepth); }") == "ustackdepth");
  CHECK(refused("syscall::read:entry { trace(ucaller); if (arg0) trace(ustackdepth); }") == "");
}
