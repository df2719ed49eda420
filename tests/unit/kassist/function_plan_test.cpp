// Capture plans of functions: from descriptions to ops.
#include <doctest/doctest.h>

#include <algorithm>

#include "kassist/plans/function_plan.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/syscall.hpp"

namespace strut::test {
namespace {

using namespace notation;

CallPlan plan(std::span<const ArgType> args, const Type& result = kInt, Varargs varargs = Varargs::No) {
  return plan_of(FunctionDesc{"f", result, args, varargs}, TraceRequest{});
}
bool saves(const CallPlan& plan) { return plan.flags & WIRE_PLAN_SAVES; }
size_t count(const std::vector<wire_op>& ops, wire_op_kind kind) {
  return static_cast<size_t>(std::ranges::count(ops, kind, &wire_op::kind));
}

}  // namespace

TEST_CASE("function plan: numbers are not followed, and a return that copies nothing saves nothing") {
  static constexpr ArgType kArgs[] = {size("size"), integer("flags"), address("at")};
  CallPlan malloc = plan(kArgs, kAddress);
  CHECK(malloc.enter.empty());
  CHECK(malloc.exit.empty());
  CHECK_FALSE(saves(malloc));
}

TEST_CASE("function plan: registers are in the order of functions, and stack arguments lie behind the return address") {
  static constexpr ArgType kArgs[] = {string("a"), size("b"), size("c"), string("d"),
                                      size("e"),   size("f"), size("g"), string("h")};
  CallPlan many = plan(kArgs);
  REQUIRE(many.enter.size() == 7);
  CHECK((many.enter[0].kind == WIRE_OP_BYTES && many.enter[0].at == WIRE_SP && many.enter[0].offset == 8));
  CHECK((many.enter[1].kind == WIRE_OP_LOAD && many.enter[1].at == WIRE_SP && many.enter[1].offset == 8));
  CHECK((many.enter[3].kind == WIRE_OP_LOAD && many.enter[3].offset == 16));
  CHECK((many.enter[4].kind == WIRE_OP_STRING && many.enter[4].at == 0));
  CHECK((many.enter[5].kind == WIRE_OP_STRING && many.enter[5].at == 3));
  CHECK((many.enter[6].kind == WIRE_OP_STRING && many.enter[6].at == many.enter[3].to));
  CHECK_FALSE(saves(many));
}

TEST_CASE("function plan: what is filled in is copied at the return, with the arguments of the entry") {
  static constexpr ArgType kArgs[] = {bytes_out("buf", by_result()), size("count")};
  CallPlan read = plan(kArgs, kSize);
  CHECK(read.enter.empty());
  REQUIRE(read.exit.size() == 1);
  CHECK((read.exit[0].kind == WIRE_OP_BYTES && read.exit[0].at == 0 && read.exit[0].count == WIRE_RESULT));
  CHECK(saves(read));
}

TEST_CASE("function plan: what the result points to needs no argument") {
  static constexpr ArgType kArgs[] = {string("name")};
  static constexpr Type kText = pointer_to(kString);
  CallPlan getenv = plan(kArgs, kText);
  REQUIRE(getenv.exit.size() == 1);
  CHECK((getenv.exit[0].kind == WIRE_OP_STRING && getenv.exit[0].at == WIRE_RESULT));
  CHECK_FALSE(saves(getenv));
}

TEST_CASE("function plan: a structure in memory is copied from the stack, with what it points to") {
  static constexpr FieldType kFields[] = {{"name", pointer_to(kString)}, {"a", kLong}, {"b", kLong}};
  static constexpr StructLayout kLayout{"three", kFields};
  static const ArgType kArgs[] = {arg("three", structure(kLayout))};
  CallPlan take = plan(kArgs);
  REQUIRE(take.enter.size() == 3);
  CHECK((take.enter[0].kind == WIRE_OP_BYTES && take.enter[0].at == WIRE_SP && take.enter[0].offset == 8 &&
         take.enter[0].max == 24));
  CHECK((take.enter[1].kind == WIRE_OP_LOAD && take.enter[1].offset == 8));
  CHECK((take.enter[2].kind == WIRE_OP_STRING && take.enter[2].at == take.enter[1].to));
}

TEST_CASE("function plan: whatever a format may take is followed") {
  static constexpr ArgType kArgs[] = {size("stream"), string("format")};
  CallPlan prints = plan(kArgs, kInt, Varargs::Printf), scans = plan(kArgs, kInt, Varargs::Scanf);
  CHECK(count(prints.enter, WIRE_OP_STRING) == 1 + 4 + 4);
  CHECK_FALSE(saves(prints));
  CHECK(count(scans.enter, WIRE_OP_STRING) == 1);
  CHECK(count(scans.exit, WIRE_OP_BYTES) == 4 + 4);
  CHECK(saves(scans));
}

TEST_CASE("function plan: of a va_list what it has saved is followed, and what is on the stack") {
  static constexpr ArgType kArgs[] = {size("stream"), string("format")};
  CallPlan prints = plan(kArgs, kInt, Varargs::PrintfList);
  CHECK(count(prints.enter, WIRE_OP_STRING) == 1 + 6 + 4);
  CHECK(count(prints.enter, WIRE_OP_WHEN) == 6);
  CHECK(std::ranges::count_if(prints.enter, [](const wire_op& op) { return op.kind == WIRE_OP_BYTES && op.at == 2; }) ==
        1);
  CHECK(prints.floatings == 0);
  CHECK_FALSE(saves(prints));
}

TEST_CASE("function plan: where the pointers of a va_list lead is looked at when all is scanned") {
  static constexpr ArgType kArgs[] = {size("stream"), string("format")};
  CallPlan scanned = plan(kArgs, kInt, Varargs::ScanfList);
  CHECK(count(scanned.enter, WIRE_OP_STRING) == 1);
  CHECK(count(scanned.exit, WIRE_OP_WHEN) == 6);
  CHECK(count(scanned.exit, WIRE_OP_BYTES) == 6 + 4);
  CHECK(saves(scanned));
  // The values that the entry has loaded are still there.
  auto loads = [](const std::vector<wire_op>& ops, auto by) {
    uint8_t slot = by == 0 ? WIRE_SLOTS : 0;
    for (const wire_op& op : ops)
      if (op.kind == WIRE_OP_LOAD) slot = by == 0 ? std::min(slot, op.to) : std::max(slot, op.to);
    return slot;
  };
  CHECK(loads(scanned.exit, 0) > loads(scanned.enter, 1));
}

TEST_CASE("function plan: pointers up to a null are counted first") {
  static constexpr Type kText = pointer_to(kString);
  static constexpr ArgType kArgs[] = {arg("argv", pointer_to(kText, {.until_zero = true}))};
  CallPlan exec = plan(kArgs);
  CHECK(count(exec.enter, WIRE_OP_WORDS) == 1);
  CHECK(count(exec.enter, WIRE_OP_EACH) == 1);
}

TEST_CASE("function plan: a function that makes a system call with its arguments has that one's plan") {
  FunctionDesc read{"read", kLong, {}, Varargs::No, Failure::Negative, find_syscall(Abi::X86_64, 0u)};
  CallPlan made = plan_of(read, TraceRequest{});
  REQUIRE(made.exit.size() == 1);
  CHECK(made.exit[0].count == WIRE_RESULT);
  CHECK(saves(made));
}

}  // namespace strut::test
