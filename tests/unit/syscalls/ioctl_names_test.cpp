// Names of ioctl commands: shared ones, those with a parameter, unknown ones.
#include <doctest/doctest.h>

#include "syscalls/types/ioctl/ioctl_names.hpp"
#include "syscalls/notation.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

constexpr SyscallDesc kIoctl = notation::row("ioctl", kDesc, notation::kUnsignedResult, notation::fd("fd"));

std::string name(uint32_t command, Abi abi = Abi::X86_64) {
  DecodeScene scene(kIoctl, {0}, abi);
  Decoder decoder(scene.call, {scene.memory, scene.around, scene.options}, Phase::Enter, scene.decoded);
  Value value = ioctl_name(decoder, command);
  return value.absent() ? "" : show(value);
}

}  // namespace

TEST_CASE("ioctl names: one number, one name") {
  CHECK(name(0x5401) == "TCGETS");
  CHECK(name(0x5413) == "TIOCGWINSZ");
  CHECK(name(0x541b) == "FIONREAD");
  CHECK(name(0x80081272) == "BLKGETSIZE64");
}

TEST_CASE("ioctl names: a number that several subsystems use has all their names") {
  CHECK(name(0x5402) == "SNDCTL_TMR_START or TCSETS");
}

TEST_CASE("ioctl names: a size or number in the command is its argument") {
  CHECK(name(0x81004506) == "EVIOCGNAME(256)");
  CHECK(name(0x80404518) == "EVIOCGKEY(64)");
}

TEST_CASE("ioctl names: sizes of 32-bit structures make other numbers") {
  CHECK(name(0x80086601) == "FS_IOC_GETFLAGS");
  CHECK(name(0x80046601) == "FS_IOC32_GETFLAGS");
}

TEST_CASE("ioctl names: what no header knows has none") {
  CHECK(name(0x12345678).empty());
  CHECK(name(0).empty());
  CHECK(name(0xffffffff).empty());
}

}  // namespace strut::test
