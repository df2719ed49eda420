// Commands of files with an object that the call replaces by its answer.
#include <doctest/doctest.h>
#include <linux/fiemap.h>
#include <linux/fs.h>

#include <utility>

#include "syscalls/syscall.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

constexpr uint64_t kAt = 0x1000;

DecodeScene scene_of(uint64_t command) {
  return DecodeScene(*find_syscall(Abi::X86_64, "ioctl")->desc, {3, command, kAt});
}

/// A structure, and what follows it in memory.
template <typename Head, typename Item>
void put(DecodeScene& scene, const Head& head, std::initializer_list<Item> items) {
  scene.memory.put_object(kAt, head);
  uint64_t at = kAt + sizeof head;
  for (const Item& item : items) scene.memory.put_object(std::exchange(at, at + sizeof item), item);
}

}  // namespace

TEST_CASE("ioctl: FIDEDUPERANGE shows each destination, and how it went") {
  DecodeScene scene = scene_of(FIDEDUPERANGE);
  file_dedupe_range head{.src_offset = 1, .src_length = 2, .dest_count = 2};
  file_dedupe_range_info first{.dest_fd = 4, .dest_offset = 5}, second{.dest_fd = 6};
  put(scene, head, {first, second});
  std::string asked =
      "{src_offset=1, src_length=2, dest_count=2, info=[{dest_fd=fd:4, dest_offset=5}, {dest_fd=fd:6, "
      "dest_offset=0}]}";
  scene.enter();
  first.bytes_deduped = 2;
  second.status = -9;
  put(scene, head, {first, second});
  CHECK(scene.exit(0).find(asked + " => {info=[{bytes_deduped=2, status=0}, {bytes_deduped=0, status=-9}]}") !=
        std::string::npos);
}

TEST_CASE("ioctl: FIDEDUPERANGE without a destination has no answer") {
  DecodeScene scene = scene_of(FIDEDUPERANGE);
  scene.memory.put_object(kAt, file_dedupe_range{});
  scene.enter();
  std::string text = scene.exit(0);
  CHECK(text.find("dest_count=0, info=[]}") != std::string::npos);
  CHECK(text.find("=>") == std::string::npos);
}

TEST_CASE("ioctl: FS_IOC_FIEMAP shows as many extents as were mapped, in full only") {
  auto text = [](SyscallSet abbreviated) {
    DecodeScene scene = scene_of(FS_IOC_FIEMAP);
    scene.options.abbreviate = abbreviated;
    fiemap head{.fm_start = 1, .fm_length = 2, .fm_extent_count = 7};
    scene.memory.put_object(kAt, head);
    scene.enter();
    head.fm_mapped_extents = 1;
    put(scene, head, {fiemap_extent{.fe_logical = 8}});
    return scene.exit(0);
  };
  std::string in_full = text({}), in_short = text(SyscallSet::all());
  CAPTURE(in_full);
  CHECK(in_full.find("{fm_start=1, fm_length=2, fm_flags=named:0, fm_extent_count=7} => {fm_flags=named:0, "
                     "fm_mapped_extents=1, "
                     "~fm_extents=[{fe_logical=8, fe_physical=0, fe_length=0, fe_flags=named:0}]}") !=
        std::string::npos);
  CHECK(in_short.find("fm_mapped_extents=1") != std::string::npos);
  CHECK(in_short.find("fe_logical") == std::string::npos);
}

}  // namespace strut::test
