// Plans' operations for descriptors and ids.
#include "kassist/plans/around.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "kassist/plans/plan.hpp"
#include "kassist/plans/plan_table.hpp"

namespace strut::test {

namespace {

TraceRequest asking(bool files, bool comms) {
  TraceRequest request;
  request.decode.fd_targets = files;
  request.decode.comms = request.need_comm = comms;
  return request;
}

CallPlan plan(const char* name, const TraceRequest& request) {
  const SyscallSlot* slot = find_syscall(Abi::X86_64, name);
  REQUIRE(slot);
  return plan_of(*slot->desc, Abi::X86_64, slot->nr, request);
}

long count(const std::vector<wire_op>& ops, wire_op_kind kind) {
  return std::count_if(ops.begin(), ops.end(), [kind](const wire_op& op) { return op.kind == kind; });
}

}  // namespace

TEST_CASE("plans: nothing around a call is looked at unless it is asked for") {
  for (const SyscallSlot& slot : syscalls_of(Abi::X86_64)) {
    CallPlan plan = plan_of(*slot.desc, Abi::X86_64, slot.nr, asking(false, false));
    for (wire_op_kind kind :
         {WIRE_OP_FD, WIRE_OP_PID, WIRE_OP_FD_SET, WIRE_OP_CONTROL, WIRE_OP_COMM, WIRE_OP_NAMESPACES}) {
      CHECK(count(plan.enter, kind) == 0);
      CHECK(count(plan.exit, kind) == 0);
    }
  }
}

TEST_CASE("plans: descriptors that calls take, return and find in memory") {
  TraceRequest request = asking(true, false);
  CallPlan open = plan("openat", request);
  CHECK(count(open.enter, WIRE_OP_FD) == 1);
  CHECK(count(open.exit, WIRE_OP_FD) == 1);
  CHECK((open.flags & WIRE_PLAN_AT_ENTER) == 0);
  CallPlan close = plan("close", request);
  CHECK(count(close.enter, WIRE_OP_FD) == 1);
  CHECK((close.flags & WIRE_PLAN_AT_ENTER) != 0);
  CHECK(count(plan("pipe2", request).exit, WIRE_OP_FD) == 2);
  CHECK(count(plan("poll", request).enter, WIRE_OP_FD) == 1);
  CallPlan select = plan("select", request);
  CHECK(count(select.enter, WIRE_OP_FD_SET) == 3);
  CHECK((select.flags & WIRE_PLAN_AT_ENTER) != 0);
  CHECK(count(plan("sendmsg", request).enter, WIRE_OP_CONTROL) == 1);
  CHECK(count(plan("mount_setattr", request).enter, WIRE_OP_FD) == 2);  // one is a member that may be a plain number
  CHECK(count(plan("kill", request).enter, WIRE_OP_PID) == 0);
}

TEST_CASE("plans: there is room for all of them, whatever is asked for") {
  TraceRequest request = asking(true, true);
  request.decode.fd_details = request.decode.translate_pids = request.decode.new_namespaces = true;
  PlanTable plans = plans_for(request);
  CHECK(plans.ops.size() < WIRE_OPS * 9 / 10);
  CHECK(plans.commands.size() < WIRE_COMMANDS);
}

TEST_CASE("plans: ids that calls take and return") {
  TraceRequest request = asking(false, true);
  CHECK(count(plan("kill", request).enter, WIRE_OP_PID) == 1);
  CHECK((plan("kill", request).flags & WIRE_PLAN_AT_ENTER) != 0);
  CHECK(count(plan("getppid", request).exit, WIRE_OP_PID) == 1);
  CHECK(count(plan("waitid", request).enter, WIRE_OP_PID) == 1);
  CHECK(count(plan("prctl", request).exit, WIRE_OP_COMM) == 1);
  CHECK(count(plan("openat", request).enter, WIRE_OP_FD) == 0);
}

TEST_CASE("plans: a descriptor that may be a netlink socket is looked at, whatever is asked for") {
  CHECK(count(plan("recvfrom", asking(false, false)).exit, WIRE_OP_IDENTITY) == 1);
  CHECK(count(plan("read", asking(false, false)).exit, WIRE_OP_IDENTITY) == 0);
}

TEST_CASE("plans: the current directory, of calls with a path that no descriptor begins") {
  TraceRequest request = asking(true, false);
  request.paths = {"/a"};
  CHECK(count(plan("unlink", request).enter, WIRE_OP_DIRECTORY) == 0);
  request.resolves_paths = true;
  CHECK(count(plan("unlink", request).enter, WIRE_OP_DIRECTORY) == 1);
  CHECK((plan("unlink", request).flags & WIRE_PLAN_AT_ENTER) != 0);  // another thread may change it meanwhile
  CHECK(count(plan("openat", request).enter, WIRE_OP_DIRECTORY) == 0);
  CHECK(count(plan("read", request).enter, WIRE_OP_DIRECTORY) == 0);
  request.paths = {};
  CHECK(count(plan("unlink", request).enter, WIRE_OP_DIRECTORY) == 0);
}

}  // namespace strut::test
