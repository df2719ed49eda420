// -e namespace=new: the text after the result of calls that enter namespaces.
#include <doctest/doctest.h>

#include <string>

#include "syscalls/decoder.hpp"
#include "tests/unit/scripted_memory.hpp"

namespace strut::test {
namespace {

/// Names the process asked for and the kind, as if that were the link.
class Namespaces final : public ScriptedSurroundings {
 public:
  std::optional<std::string> namespace_of(int32_t id, const char* kind) override {
    if (std::string_view(kind) == "ipc") return std::nullopt;
    return std::string(kind) + ":[" + std::to_string(id) + "]";
  }
};

std::string aux_of(const char* name, std::array<uint64_t, 6> regs, int error = 0, bool wanted = true) {
  const SyscallSlot* slot = find_syscall(Abi::X86_64, name);
  Call call;
  call.nr = slot->nr;
  call.desc = slot->desc;
  call.regs = regs;
  call.returned = true;
  call.result = 77;
  call.error = error;
  ScriptedMemory memory;
  memory.put(0x1000, std::string("\x80\0\0\x04\0\0\0\0", 8) + std::string(80, '\0'));
  Namespaces around;
  DecodeOptions options;
  options.new_namespaces = wanted;
  DecodeContext scene{memory, around, options};
  DecodedCall decoded;
  decode_enter(call, scene, decoded);
  decode_exit(call, scene, decoded);
  const Text* text = std::get_if<Text>(&decoded.aux.is);
  return text ? std::string(text->bytes) : "";
}

constexpr uint64_t kNewNet = 0x40000000, kNewTime = 0x80, kNewUts = 0x04000000, kNewIpc = 0x08000000;

}  // namespace

TEST_CASE("new namespaces: by name, of the caller or of the child") {
  CHECK(aux_of("unshare", {kNewNet | kNewTime | kNewUts}) == "net:[0], time:[0], uts:[0]");
  CHECK(aux_of("setns", {3, kNewNet}) == "net:[0]");
  CHECK(aux_of("clone", {kNewNet | kNewTime | 17}) == "net:[77]");
  CHECK(aux_of("clone3", {0x1000, 88}) == "time:[77], uts:[77]");
}

TEST_CASE("new namespaces: nothing where none is named, known or wanted, or the call failed") {
  CHECK(aux_of("unshare", {0x400}) == "");
  CHECK(aux_of("unshare", {kNewIpc}) == "");
  CHECK(aux_of("setns", {3, 0}) == "");
  CHECK(aux_of("unshare", {kNewNet}, 1) == "");
  CHECK(aux_of("unshare", {kNewNet}, 0, false) == "");
  CHECK(aux_of("clone3", {0xdead0000, 88}) == "");
}

}  // namespace strut::test
