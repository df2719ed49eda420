// Capture plans: from rows to ops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include <fcntl.h>

#include "kassist/plans/plan.hpp"
#include "kassist/plans/plan_table.hpp"
#include "kassist/plans/usual_plans.hpp"

namespace strut::test {
namespace {

struct Number {
  Abi abi;
  uint32_t nr;
};

Number number_of(const char* name, Abi abi) { return {abi, find_syscall(abi, name)->nr}; }

CallPlan plan(const char* name, const TraceRequest& request = {}, Abi abi = Abi::X86_64) {
  Number number = number_of(name, abi);
  return plan_of(*find_syscall(abi, number.nr), abi, number.nr, request);
}
CallPlan plan_by(const char* name, uint64_t command, const TraceRequest& request = {}) {
  Number number = number_of(name, Abi::X86_64);
  return plan_of(*find_syscall(Abi::X86_64, number.nr), Abi::X86_64, number.nr, command, request);
}

bool at_enter(const CallPlan& plan) { return plan.flags & WIRE_PLAN_AT_ENTER; }

}  // namespace

TEST_CASE("plan: a path is a string of up to PATH_MAX bytes, other strings end with -s") {
  CallPlan open = plan("openat");
  REQUIRE(open.enter.size() == 1);
  CHECK(open.enter[0].kind == WIRE_OP_STRING);
  CHECK(open.enter[0].at == 1);
  CHECK(open.enter[0].max == 4096);
  CHECK(open.exit.empty());
  CHECK_FALSE(at_enter(open));

  TraceRequest request;
  request.decode.max_string_bytes = 7;
  CallPlan set = plan("fsopen", request);
  REQUIRE(set.enter.size() == 1);
  CHECK(set.enter[0].max == 8);
}

TEST_CASE("plan: buffers by argument and by result, one byte more than is shown") {
  CallPlan write = plan("write"), read = plan("read");
  REQUIRE(write.enter.size() == 1);
  CHECK(write.enter[0].kind == WIRE_OP_BYTES);
  CHECK(write.enter[0].at == 1);
  CHECK((write.enter[0].flags & WIRE_OP_COUNTED));
  CHECK(write.enter[0].count == 2);
  CHECK(write.enter[0].max == 33);
  CHECK(read.enter.empty());
  REQUIRE(read.exit.size() == 1);
  CHECK(read.exit[0].count == WIRE_RESULT);
  CHECK((read.exit[0].flags & WIRE_OP_IF_DONE));
}

TEST_CASE("plan: dumps need all that is moved") {
  TraceRequest request;
  request.decode.dump_writes.fds = {3};
  CHECK(plan("write", request).enter[0].max == 4u << 20);
  CHECK(plan("read", request).exit[0].max == 33);
  // Structures that are shown as addresses, and calls that are shown as numbers, lead to the moved data as well.
  request.decode.dereference = {};
  CHECK_FALSE(plan("writev", request).enter.empty());
  CHECK(plan("readv", request).exit.empty());
  request.decode.raw = SyscallSet::all();
  CHECK_FALSE(plan("write", request).enter.empty());
  CHECK(plan("read", request).exit.empty());
}

TEST_CASE("plan: structures have the size that the ABI gives them") {
  CHECK(plan("nanosleep").enter[0].max == 16);
  CHECK(plan("nanosleep", {}, Abi::I386).enter[0].max == 8);
  CallPlan stat = plan("fstat");
  REQUIRE(stat.exit.size() == 1);
  CHECK(stat.exit[0].max == 144);
  CHECK((stat.exit[0].flags & WIRE_OP_IF_DONE));
}

TEST_CASE("plan: arrays are looked at one item past what they show, all of them in full") {
  TraceRequest request;
  request.decode.max_string_bytes = 3;
  CallPlan poll = plan("poll", request);
  REQUIRE(poll.enter.size() == 1);
  CHECK(poll.enter[0].element == 8);
  CHECK(poll.enter[0].max == 4 * 8);
  // The text after the result looks at every item.
  REQUIRE(poll.exit.size() == 1);
  CHECK(poll.exit[0].max > 1000 * 8);
}

TEST_CASE("plan: a mask with a length in bits is looked at in whole words") {
  CallPlan bind = plan("mbind");
  REQUIRE(bind.enter.size() == 1);
  CHECK(bind.enter[0].count == 4);
  CHECK((bind.enter[0].flags & WIRE_OP_BITS));
}

TEST_CASE("plan: memory that the kernel reads at any length argument is looked at") {
  CallPlan attributes = plan("lsm_get_self_attr");
  REQUIRE_FALSE(attributes.enter.empty());
  CHECK(attributes.enter[0].at == 1);
  CHECK_FALSE((attributes.enter[0].flags & WIRE_OP_COUNTED));
}

TEST_CASE("plan: what changes in the call is seen before and after it") {
  CallPlan send = plan("sendfile");
  CHECK(send.enter.size() == 1);
  CHECK(send.exit.size() == 1);
  CHECK(at_enter(send));
  // A program may have the old value stored where it passed the new one.
  CHECK(at_enter(plan("rt_sigaction")));
  CHECK(at_enter(plan("execve")));
  CHECK(at_enter(plan("exit_group")));
  CHECK_FALSE(at_enter(plan("getppid")));
  // They overwrite memory that is shown as it was passed.
  CHECK(at_enter(plan("ppoll")));
  CHECK(at_enter(plan("splice")));
  CHECK(at_enter(plan("set_thread_area", {}, Abi::I386)));
  CHECK(at_enter(plan("copy_file_range")));
}

TEST_CASE("plan: what is filled in may lie where a path is") {
  for (const char* name : {"stat", "readlink", "newfstatat", "statx", "fgetxattr"}) {
    CAPTURE(name);
    CHECK((plan(name).flags & WIRE_PLAN_OVERLAPS));
    CHECK_FALSE(at_enter(plan(name)));
  }
  for (const char* name : {"stat", "readlink", "fstatat64", "statx"}) CHECK(at_enter(plan(name, {}, Abi::I386)));
  // No further than that: fts(3) has a file's name right behind its status.
  CHECK(plan("newfstatat").overlaps == WIRE_TEXT_1_IN_2);
  CHECK(plan("newfstatat").filled == 144);
  CHECK(plan("statx").filled == 256);
  CHECK(plan("readlink").filled == 0);  // as the size says
  CHECK(plan("getxattr").overlaps == (WIRE_TEXT_0_IN_2 | WIRE_TEXT_1_IN_2));
  CHECK(plan("listxattrat").overlaps == WIRE_TEXT_1_IN_3);
  CHECK(at_enter(plan("getxattrat")));
  for (const char* name : {"openat", "fstat", "read", "write"}) {
    CAPTURE(name);
    CHECK_FALSE((plan(name).flags & WIRE_PLAN_OVERLAPS));
  }
}

TEST_CASE("plan: parts of a structure that are there for some values of a member only") {
  constexpr uint64_t kLinkCreate = 28, kUprobes = 48;
  CallPlan plan = plan_by("bpf", kLinkCreate);
  auto condition = std::ranges::find_if(
      plan.enter, [](const wire_op& op) { return op.kind == WIRE_OP_WHEN && op.element == kUprobes; });
  REQUIRE(condition != plan.enter.end());
  CHECK(condition->max == kUprobes);
  auto part = std::span(condition + 1, condition->body);
  CHECK(std::ranges::count(part, WIRE_OP_STRING, &wire_op::kind) == 1);  // path
  CHECK(std::ranges::count(part, WIRE_OP_BYTES, &wire_op::kind) == 3);   // offsets, ref_ctr_offsets, cookies
}

TEST_CASE("plan: the instructions of a socket's filter, in full and where the option is one") {
  constexpr uint64_t kAttachFilter = 26, kInstructionBytes = 8, kMaxInstructions = 4096;
  TraceRequest full;
  full.decode.abbreviate = SyscallSet{};
  auto copies_filter = [](const std::vector<wire_op>& ops) {
    auto option = std::ranges::find_if(ops, [](const wire_op& op) {
      return op.kind == WIRE_OP_WHEN && op.at == 2 && op.element == kAttachFilter && op.max == kAttachFilter;
    });
    if (option == ops.end()) return false;
    auto part = std::span(option + 1, option->body);
    return std::ranges::any_of(part, [](const wire_op& op) {
      return op.kind == WIRE_OP_BYTES && (op.flags & WIRE_OP_COUNTED) && op.element == kInstructionBytes &&
             op.max == kMaxInstructions * kInstructionBytes;
    });
  };
  CHECK(copies_filter(plan("setsockopt", full).enter));
  CHECK_FALSE(copies_filter(plan("setsockopt").enter));
  CHECK(std::ranges::count(plan("getsockopt", full).exit, WIRE_OP_WHEN, &wire_op::kind) == 2);
  CHECK(std::ranges::count(plan("getsockopt").exit, WIRE_OP_WHEN, &wire_op::kind) == 0);
}

TEST_CASE("plan: vectors of buffers are followed") {
  CallPlan write = plan("writev");
  REQUIRE(write.enter.size() == 5);
  CHECK(write.enter[0].kind == WIRE_OP_BYTES);  // the array
  CHECK(write.enter[0].element == 16);
  CHECK(write.enter[1].kind == WIRE_OP_EACH);
  CHECK(write.enter[1].body == 3);
  CHECK(write.enter[2].kind == WIRE_OP_LOAD);  // iov_base
  CHECK(write.enter[3].kind == WIRE_OP_LOAD);  // iov_len
  CHECK(write.enter[3].offset == 8);
  CHECK(write.enter[4].kind == WIRE_OP_BYTES);
  CHECK(write.enter[4].at == write.enter[2].to);
  CHECK(write.enter[4].count == write.enter[3].to);
}

TEST_CASE("plan: argument vectors are counted, the environment's strings only shown in full") {
  auto loops = [](const CallPlan& plan) {
    return std::count_if(plan.enter.begin(), plan.enter.end(),
                         [](const wire_op& op) { return op.kind == WIRE_OP_EACH; });
  };
  CHECK(loops(plan("execve")) == 1);
  TraceRequest full;
  full.decode.abbreviate = SyscallSet{};
  CHECK(loops(plan("execve", full)) == 2);
}

TEST_CASE("plan: multiplexers by command") {
  constexpr uint64_t kTcGets = 0x5401, kFionbio = 0x5421;
  CHECK(plan_by("ioctl", kTcGets).exit.size() == 1);
  CHECK(plan_by("ioctl", kTcGets).enter.empty());
  CHECK(plan_by("ioctl", kFionbio).enter[0].max == 4);
  // Devices of input take objects of any size.
  REQUIRE(plan("ioctl").enter.size() == 1);
  CHECK((plan("ioctl").enter[0].flags & WIRE_OP_IOCTL));
  CHECK(plan("ioctl").enter[0].to == 'E');
  CHECK_FALSE(at_enter(plan("ioctl")));
  TraceRequest full;
  full.decode.abbreviate = SyscallSet{};
  REQUIRE(plan("ioctl", full).enter.size() == 2);
  CHECK(plan("ioctl", full).enter[1].to == 0);
  CHECK(at_enter(plan("ioctl", full)));
}

TEST_CASE("plan: nothing is copied that is not shown") {
  TraceRequest raw;
  raw.decode.raw = SyscallSet::all();
  CHECK(plan("openat", raw).enter.empty());
  raw.paths = {"/etc/hosts"};
  CHECK(plan("openat", raw).enter.size() == 1);
  TraceRequest summary;
  summary.decode_arguments = false;
  CHECK(plan("openat", summary).enter.empty());
  TraceRequest bare;
  bare.decode.dereference = SyscallSet{};
  CHECK(plan("nanosleep", bare).enter.empty());
  CHECK(plan("openat", bare).enter.size() == 1);
}

TEST_CASE("plan: the table holds all plans of the widest requests") {
  TraceRequest request;
  DecodeOptions& decode = request.decode;
  decode.max_string_bytes = UINT32_MAX;
  decode.fd_targets = decode.fd_details = decode.comms = decode.translate_pids = decode.new_namespaces = true;
  request.need_comm = true;
  for (bool full : {false, true}) {
    if (full) decode.abbreviate = SyscallSet();
    PlanTable table = plans_for(request);  // aborts where it does not
    CHECK(table.ops.size() <= WIRE_OPS);
    CHECK(table.commands.size() <= WIRE_COMMANDS);
    MESSAGE(table.ops.size(), " ops, ", table.commands.size(), " commands");
  }
}

TEST_CASE("plan: the table stores equal ops once, and i386's carriers by what they carry") {
  PlanTable table = plans_for({});
  CHECK(table.ops.size() < WIRE_OPS / 2);
  CHECK(table.commands.size() < WIRE_COMMANDS);
  CHECK(table.commands.size() == table.command_plans.size());
  uint32_t stat = find_syscall(Abi::X86_64, "stat")->nr, lstat = find_syscall(Abi::X86_64, "lstat")->nr;
  CHECK(table.calls[stat].first == table.calls[lstat].first);
  constexpr uint32_t kSocketcall = WIRE_CALLS + 102, kConnect = 3;
  auto connect = std::find_if(table.commands.begin(), table.commands.end(), [](const wire_command& key) {
    return key.call == kSocketcall && key.command == kConnect;
  });
  REQUIRE(connect != table.commands.end());
  const wire_plan& carried = table.command_plans[static_cast<size_t>(connect - table.commands.begin())];
  CHECK(table.ops[carried.first].kind == WIRE_OP_BYTES);  // the arguments themselves
  CHECK(table.ops[carried.first + carried.enter_ops - 1u].max == 128);
}

TEST_CASE("plans: plain ones copy memory at registers, up to three times, and are sent when the call returns") {
  PlanTable table = plans_for({});
  auto plain = [&](const char* name) {
    return (table.calls[number_of(name, Abi::X86_64).nr].flags & WIRE_PLAN_PLAIN) != 0;
  };
  for (const char* name : {"getppid", "openat", "newfstatat", "read", "getdents64", "fcntl", "readlink"})
    CHECK_MESSAGE(plain(name), name);
  for (const char* name : {"execve", "exit_group", "rt_sigaction", "writev", "recvfrom"})
    CHECK_FALSE_MESSAGE(plain(name), name);
}

TEST_CASE("plans: a command that has one has a bit; the common ones of fcntl have none") {
  PlanTable table = plans_for({});
  for (auto [call, command] : table.commands) CHECK((table.calls[call].commands >> wire_bit_of(command) & 1) == 1);
  uint32_t bits = table.calls[number_of("fcntl", Abi::X86_64).nr].commands;
  for (int command : {F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL})
    CHECK((bits >> wire_bit_of(static_cast<uint32_t>(command)) & 1) == 0);
}

TEST_CASE("plans: each command's is found in its bucket") {
  PlanTable table = plans_for({});
  REQUIRE(table.buckets.size() == WIRE_BUCKETS);
  for (size_t i = 0; i < table.commands.size(); i++) {
    auto [call, command] = table.commands[i];
    const wire_bucket& bucket = table.buckets[wire_bucket_of(call, command, table.seed)];
    auto found = std::ranges::find(bucket.keys, wire_key_of(call, command));
    REQUIRE(found != std::end(bucket.keys));
    const wire_plan& plan = bucket.plans[found - std::begin(bucket.keys)];
    CHECK(std::memcmp(&plan, &table.command_plans[i], sizeof(plan)) == 0);
  }
}

namespace {

template <typename Value>
bool same(std::span<const Value> left, std::span<const Value> right) {
  return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size_bytes()) == 0;
}

/// A request for each thing that plans may depend on.
std::vector<TraceRequest> unusual_requests() {
  constexpr void (*kChanges[])(TraceRequest&) = {
      [](TraceRequest& r) { r.calls.erase(Abi::X86_64, 0); },
      [](TraceRequest& r) { r.calls.erase_unknown(); },
      [](TraceRequest& r) { r.paths.emplace_back("/"); },
      [](TraceRequest& r) { r.fds.push_back(0); },
      [](TraceRequest& r) { r.fds_inverted = true; },
      [](TraceRequest& r) { r.decode_arguments = false; },
      [](TraceRequest& r) { r.stack_frames = 1; },
      [](TraceRequest& r) { r.need_comm = true; },
      [](TraceRequest& r) { r.decode.max_string_bytes = 33; },
      [](TraceRequest& r) { r.decode.max_items = 33; },
      [](TraceRequest& r) { r.decode.fd_targets = true; },
      [](TraceRequest& r) { r.decode.comms = true; },
      [](TraceRequest& r) { r.decode.new_namespaces = true; },
      [](TraceRequest& r) { r.decode.dump_reads.fds.push_back(0); },
      [](TraceRequest& r) { r.decode.dump_writes.inverted = true; },
      [](TraceRequest& r) { r.decode.raw = SyscallSet::all(); },
      [](TraceRequest& r) { r.decode.dereference = SyscallSet(); },
      [](TraceRequest& r) { r.decode.abbreviate = SyscallSet(); },
  };
  std::vector<TraceRequest> requests(std::size(kChanges));
  for (size_t i = 0; i < requests.size(); i++) kChanges[i](requests[i]);
  return requests;
}

}  // namespace

TEST_CASE("plans: those that the build computed are what would be computed") {
  TraceRequest usual;
  usual.follow = true;
  usual.call_limit = 1;
  std::optional<PlanView> built = usual_plans(usual);
  REQUIRE(built);
  PlanTable computed = plans_for(usual);
  CHECK(same(built->calls, computed.view().calls));
  CHECK(same(built->ops, computed.view().ops));
  CHECK(same(built->buckets, computed.view().buckets));
}

TEST_CASE("plans: those computed by the build serve no request with options") {
  for (const TraceRequest& request : unusual_requests()) CHECK_FALSE(usual_plans(request));
}

}  // namespace strut::test
