// Run by the build: writes a C header for the BPF programs, with the numbers of calls by their effects, taken from the
// system-call table.
#include <cstdio>
#include <string>

#include "syscalls/syscall.hpp"

namespace strut {
namespace {

struct Question {
  const char* name;  ///< for the C function
  bool (*is_so)(const Effects&);
};

constexpr Question kQuestions[] = {
    {"replaces_program", [](const Effects& effects) { return effects.replace_program(); }},
    {"names_program_second", [](const Effects& effects) { return effects.program == 1; }},
    {"makes_thread", [](const Effects& effects) { return effects.make_process(); }},
    {"makes_process_by_argument", [](const Effects& effects) { return effects.makes == Makes::ByArgument; }},
    {"makes_process_by_memory", [](const Effects& effects) { return effects.makes == Makes::ByMemory; }},
    {"makes_child",
     [](const Effects& effects) { return effects.makes == Makes::Child || effects.makes == Makes::VforkChild; }},
    {"maps_code", [](const Effects& effects) { return effects.have(kMapsCode); }},
    {"returns_mapping", [](const Effects& effects) { return effects.have(kReturnsMapping); }},
    {"has_arguments_in_memory", [](const Effects& effects) { return effects.have(kArgumentsInMemory); }},
    {"consumes_signal", [](const Effects& effects) { return effects.have(kConsumesSignal); }},
    {"changes_user", [](const Effects& effects) { return effects.have(kChangesUser); }},
};

std::string numbers_of(const Question& question, Abi abi) {
  std::string text;
  for (const SyscallSlot& slot : syscalls_of(abi))
    if (slot.nr < kFirstPart && question.is_so(slot.desc->effects))
      text += (text.empty() ? "nr == " : " || nr == ") + std::to_string(slot.nr);
  return text.empty() ? "0" : text;
}

/// The verifier walks each branch: one that makes no difference is left out.
void write(const Question& question) {
  std::string x86_64 = numbers_of(question, Abi::X86_64), x32 = numbers_of(question, Abi::X32);
  std::printf("static __always_inline int %s(__u8 abi, __u32 nr) {\n", question.name);
  std::printf("  if (abi == ABI_I386) return %s;\n", numbers_of(question, Abi::I386).c_str());
  if (x32 != x86_64) std::printf("  if (abi == ABI_X32) return %s;\n", x32.c_str());
  std::printf("  return %s;\n}\n\n", x86_64.c_str());
}

}  // namespace
}  // namespace strut

int main() {
  std::printf("/* Written by tools/call_numbers.cpp. nr: without the bit of x32. */\n#pragma once\n\n");
  for (const strut::Question& question : strut::kQuestions) strut::write(question);
  if (std::fflush(stdout) == 0) return 0;
  std::perror("call_numbers");
  return 1;
}
