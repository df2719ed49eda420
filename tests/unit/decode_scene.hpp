// One call to be decoded, with everything around it scripted.
#pragma once

#include <initializer_list>
#include <string>

#include "scripted_memory.hpp"
#include "show.hpp"
#include "syscalls/decoder.hpp"

namespace strut::test {

/// Runs the two phases and shows the arguments (show.hpp). The description must outlive the scene.
struct DecodeScene {
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;
  Call call;
  DecodedCall decoded;

  DecodeScene(const SyscallDesc& desc, std::initializer_list<uint64_t> regs, Abi abi = Abi::X86_64) {
    call.abi = abi;
    call.desc = &desc;
    std::copy(regs.begin(), regs.end(), call.regs.begin());
  }

  std::string enter() {
    call.returned = false;
    call.error = 0;
    decode_enter(call, {memory, around, options}, decoded);
    return show(decoded);
  }
  std::string exit(int64_t result) {
    call.returned = true;
    call.result = result;
    return leave();
  }
  std::string fail(int error) {
    call.returned = true;
    call.result = -error;
    call.error = error;
    return leave();
  }
  /// The thread died in the call.
  std::string vanish() { return leave(); }

 private:
  std::string leave() {
    decode_exit(call, {memory, around, options}, decoded);
    return show(decoded);
  }
};

}  // namespace strut::test
