// Which calls a request lets through: -P, --trace-fds, -e status; and the algebra of call sets.
#include <doctest/doctest.h>

#include "syscalls/notation.hpp"
#include "tests/unit/decode_scene.hpp"
#include "trace/filter.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr FieldType kPollFields[] = {field("fd", kFd), field("events", kS16), field("revents", kS16)};
constexpr StructLayout kPollfd{"pollfd", kPollFields};
constexpr Type kPollfdType = structure(kPollfd);
constexpr SyscallDesc kPoll =
    row("poll", kDesc, kUnsignedResult, array_in("fds", kPollfdType, by_arg(1)), uinteger("n"));
constexpr SyscallDesc kOpen = row("openat", kDesc | kFile, kFdResult, dirfd("dir"), path("path"));

struct FilterScene : DecodeScene {
  using DecodeScene::DecodeScene;
  bool touches(const TraceRequest& request) {
    return strut::touches(request, call, {memory, around, options}, decoded);
  }
};

TEST_CASE("filter: without paths and descriptors every call passes") {
  FilterScene scene(kOpen, {0, 0});
  scene.enter();
  CHECK(scene.touches({}));
}

TEST_CASE("filter: a path argument or the path behind a descriptor") {
  FilterScene scene(kOpen, {3, 0x1000});
  scene.options.fd_targets = true;
  scene.around.fds[3].path = "/dir";
  scene.memory.put(0x1000, std::string_view("/a\0", 3));
  scene.enter();
  TraceRequest request;
  request.paths = {"/a"};
  CHECK(scene.touches(request));
  request.paths = {"/b", "/dir"};
  CHECK(scene.touches(request));
  request.paths = {"/b"};
  CHECK_FALSE(scene.touches(request));
}

TEST_CASE("filter: descriptors by number, also in structures, and all but some") {
  FilterScene scene(kPoll, {0x1000, 2});
  scene.memory.put_object(0x1000, std::array<int32_t, 4>{5, 1, 6, 1});
  scene.enter();
  TraceRequest request;
  request.fds = {6};
  CHECK(scene.touches(request));
  request.fds = {7};
  CHECK_FALSE(scene.touches(request));
  request.fds = {5, 6};
  request.fds_inverted = true;
  CHECK_FALSE(scene.touches(request));
  request.fds = {5};
  CHECK(scene.touches(request));
}

TEST_CASE("filter: a call shown raw or with structures as addresses is looked into all the same") {
  FilterScene scene(kPoll, {0x1000, 2});
  scene.memory.put_object(0x1000, std::array<int32_t, 4>{5, 1, 6, 1});
  TraceRequest request;
  request.fds = {6};
  scene.options.raw = SyscallSet::all();
  scene.enter();
  CHECK(scene.touches(request));
  scene.options.raw = scene.options.dereference = SyscallSet{};
  scene.enter();
  CHECK(scene.touches(request));
}

TEST_CASE("filter: the current directory and the target of a symbolic link are not accessed") {
  constexpr static SyscallDesc kSymlinkat =
      row("symlinkat", kDesc | kFile, kUnsignedResult, path("target"), dirfd("dir"), path("path"), not_searched(0));
  FilterScene scene(kSymlinkat, {0x1000, static_cast<uint64_t>(-100), 0x2000});
  scene.options.fd_targets = true;
  scene.around.fds[-100].path = "/cwd";
  scene.memory.put(0x1000, std::string_view("/a\0", 3)).put(0x2000, std::string_view("/b\0", 3));
  scene.enter();
  TraceRequest request;
  request.paths = {"/a", "/cwd"};
  CHECK_FALSE(scene.touches(request));
  request.paths = {"/b"};
  CHECK(scene.touches(request));
}

TEST_CASE("filter: relative paths, by the directory that they begin at") {
  constexpr static SyscallDesc kUnlink = row("unlink", kFile, kUnsignedResult, path("path"));
  auto touches = [](const SyscallDesc& call, std::string_view path, std::string_view wanted, bool resolves = true) {
    FilterScene scene(call, {&call == &kUnlink ? uint64_t{0x1000} : 3, 0x1000});
    scene.options.fd_targets = true;
    scene.around.fds[-100].path = "/abs/w";
    scene.around.fds[3].path = "/dir";
    scene.memory.put(0x1000, std::string_view(path.data(), path.size() + 1));
    scene.enter();
    TraceRequest request;
    request.paths = {std::string(wanted)};
    request.resolves_paths = resolves;
    return scene.touches(request);
  };
  CHECK(touches(kUnlink, "f", "/abs/w/f"));
  CHECK_FALSE(touches(kUnlink, "f", "/abs/w/f", false));
  CHECK(touches(kUnlink, "./a//b/", "/abs/w/a/b"));
  CHECK(touches(kUnlink, "../f", "/abs/f"));
  CHECK(touches(kUnlink, "../../../f", "/f"));
  CHECK_FALSE(touches(kUnlink, "link/../f", "/abs/w/f"));
  CHECK_FALSE(touches(kUnlink, "/f", "/abs/w/f"));
  CHECK(touches(kOpen, "f", "/dir/f"));
  CHECK_FALSE(touches(kOpen, "f", "/abs/w/f"));
}

TEST_CASE("filter: by outcome") {
  Call call;
  StatusFilter failed{false, true, false, false, false}, unfinished{false, false, true, false, false};
  CHECK(passes(unfinished, call));
  CHECK_FALSE(passes(failed, call));
  StatusFilter unavailable{false, false, false, true, false};
  CHECK_FALSE(passes(unavailable, call));
  call.unavailable = true;
  CHECK(passes(unavailable, call));
  CHECK_FALSE(passes(unfinished, call));
  call.unavailable = false;
  call.returned = true;
  CHECK_FALSE(passes(failed, call));
  CHECK(passes({}, call));
  call.error = 2;
  CHECK(passes(failed, call));
  CHECK_FALSE(passes(unfinished, call));
}

TEST_CASE("call sets: members, complements, unions and intersections") {
  SyscallSet some;
  some.insert(Abi::X86_64, 3);
  some.insert(Abi::I386, 4);
  CHECK(some.contains(Abi::X86_64, 3));
  CHECK_FALSE(some.contains(Abi::I386, 3));
  CHECK_FALSE(some.contains(Abi::X86_64, 5000));
  SyscallSet others = ~some;
  CHECK_FALSE(others.contains(Abi::X86_64, 3));
  CHECK(others.contains(Abi::X86_64, 5000));
  CHECK((SyscallSet{some} |= others) == SyscallSet::all());
  CHECK((SyscallSet{some} &= others).empty());
  some.erase(Abi::X86_64, 3);
  some.erase(Abi::I386, 4);
  CHECK(some.empty());
  some.insert_unknown();
  CHECK_FALSE(some.empty());
  CHECK(some.contains(Abi::X32, kSyscallLimit));
  CHECK(some.contains(Abi::X86_64, 400));  // a gap of the table
  CHECK_FALSE(some.contains(Abi::X86_64, 3));
  some.erase_unknown();
  CHECK(some.empty());
}

}  // namespace
}  // namespace strut::test
