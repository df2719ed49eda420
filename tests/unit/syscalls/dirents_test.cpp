// Directory entries, whole, broken and cut off.
#include <doctest/doctest.h>

#include "syscalls/types/fs/dirents.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr SyscallDesc kNew =
    row("getdents64", kDesc, kUnsignedResult, fd("fd"), arg("dirp", kDirents64, Direction::Out), uinteger("count"));
constexpr SyscallDesc kOld =
    row("getdents", kDesc, kUnsignedResult, fd("fd"), arg("dirp", kDirents, Direction::Out), uinteger("count"));

/// A record: words, length, then `rest` as it is.
std::string record(uint64_t inode, uint64_t offset, uint16_t length, std::string_view rest) {
  std::string bytes(18, '\0');
  std::memcpy(bytes.data(), &inode, 8);
  std::memcpy(bytes.data() + 8, &offset, 8);
  std::memcpy(bytes.data() + 16, &length, 2);
  return bytes.append(rest);
}

/// The text for a buffer of entries; in full, or their number.
std::string entries(const SyscallDesc& desc, const std::string& bytes, bool full = true) {
  DecodeScene scene(desc, {3, 0x1000, 4096});
  if (!full) scene.options.abbreviate = SyscallSet::all();
  else scene.options.abbreviate = SyscallSet{};
  scene.memory.put(0x1000, bytes);
  scene.enter();
  std::string all = scene.exit(static_cast<int64_t>(bytes.size()));
  size_t start = all.find("| ") + 2;
  return all.substr(start, all.rfind("; ") - start);
}

const std::string kFile = record(5, 6, 24,
                                 std::string_view("\x08"
                                                  "ab\0\0\0",
                                                  6));

}  // namespace

TEST_CASE("dirents: the type stands before the name, or at the end of an old record") {
  CHECK(entries(kNew, kFile) == R"([{d_ino=5, d_off=6, d_reclen=24, d_type=DT_REG, d_name="ab"}])");
  CHECK(entries(kOld, record(5, 6, 24, std::string_view("ab\0\0\0\x04", 6))) ==
        R"([{d_ino=5, d_off=6, d_reclen=24, d_name="ab", d_type=DT_DIR}])");
  CHECK(entries(kNew, kFile + kFile, false).find("/* 2 entries */") != std::string::npos);
  CHECK(entries(kNew, "", false).find("/* 0 entries */") != std::string::npos);
}

TEST_CASE("dirents: a record that says it is shorter than its head ends the list") {
  std::string broken = record(5, 6, 4, std::string(14, 'x'));
  CHECK(entries(kNew, broken).find("d_reclen=4 /* 15 bytes underflow */, d_type=") != std::string::npos);
  CHECK(entries(kOld, broken) == "[{d_ino=5, d_off=6, d_reclen=4 /* 14 bytes underflow */}]");
  CHECK(entries(kOld, broken, false).find("/* d_reclen 14 bytes underflow */ /* 1+ entries */") != std::string::npos);
  CHECK(entries(kOld, record(5, 6, 4, ""), false).find("/* 1 entries */") != std::string::npos);
}

TEST_CASE("dirents: a record that says it is longer than the buffer ends with the buffer") {
  std::string longer = record(5, 6, 1000,
                              std::string_view("\x08"
                                               "abc",
                                               4));
  CHECK(entries(kNew, longer).find("d_reclen=1000 /* 978 bytes overflow */") != std::string::npos);
  CHECK(entries(kNew, longer, false).find("/* d_reclen 978 bytes overflow */ /* 1 entries */") != std::string::npos);
}

TEST_CASE("dirents: less than a record is bytes, more than was asked for is an address") {
  CHECK(entries(kNew, "abc") == R"("abc")");
  CHECK(entries(kNew, kFile + "xy").ends_with(R"(, "xy"])"));
  DecodeScene scene(kNew, {3, 0x1000, 16});
  scene.memory.put(0x1000, kFile);
  scene.enter();
  CHECK(scene.exit(24) == "fd:3; | 0x1000; 16");
}

}  // namespace strut::test
