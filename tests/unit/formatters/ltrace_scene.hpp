// Function calls that a test composes, and their text in one of ltrace's formats.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>

#include "formatters/ltrace/text.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "tests/unit/memory_output.hpp"
#include "tests/unit/scripted_memory.hpp"
#include "trace/event.hpp"

namespace strut::test {

struct LtraceScene {
  std::shared_ptr<MemoryOutput> log = std::make_shared<MemoryOutput>();
  std::unique_ptr<Sink> sink;
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;
  struct Made {
    FunctionCall call;
    DecodedCall decoded;
  };
  std::deque<Made> calls;
  Event event;
  uint64_t now_ns = 1'000'000'000;

  using Format = std::unique_ptr<Sink> (*)(LtraceStyle, std::shared_ptr<Output>);
  explicit LtraceScene(LtraceStyle style = {}, Format format = make_ltrace_text) : sink(format(style, log)) {
    memory.put_object<int>(0x2000, 9);
  }

  void report(auto what, int tid = 1, uint64_t ip = 0) {
    event.thread = {Pid{tid}, Tid{tid}, tid, {}};
    event.ip = ip;
    event.at = {now_ns, now_ns};
    event.what = what;
    REQUIRE(sink->take(event));
  }
  Made& enter(const FunctionDesc& desc, std::initializer_list<uint64_t> integers, int tid = 1, uint32_t depth = 0) {
    Made& made = calls.emplace_back();
    made.call.desc = &desc;
    made.call.symbol = desc.name;
    made.call.depth = depth;
    made.call.module = "libx.so";
    made.call.caller = "main";
    made.call.call.entered = {now_ns, now_ns};
    EntryRegisters registers;
    std::copy(integers.begin(), integers.end(), registers.integers.begin());
    decode_entry(made.call, registers, {memory, around, options}, made.decoded);
    report(FunctionEntryEvent{&made.call, &made.decoded}, tid, 0x401000);
    return made;
  }
  void leave(Made& made, uint64_t rax, int tid = 1) {
    made.call.call.left = {now_ns, now_ns};
    decode_return(made.call, {rax}, 0, {memory, around, options}, made.decoded);
    report(FunctionReturnEvent{&made.call, &made.decoded}, tid, 0x401000);
  }
  void abandon(Made& made) {
    made.call.abandoned = true;
    report(FunctionReturnEvent{&made.call, &made.decoded});
  }
  std::string text() {
    REQUIRE(sink->flush());
    return log->take();
  }
};

}  // namespace strut::test
