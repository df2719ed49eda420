#include "kassist/loader/embedded_object.hpp"

// The assembler, not a generated array: an object is 100 KB and more. STRUT_BPF_OBJECTS is their folder, from the
// Makefile.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "strut_bpf_object: .incbin \"" STRUT_BPF_OBJECTS
    "/strut.bpf.o\"\n"
    "strut_bpf_object_end:\n"
    ".balign 16\n"
    "strut_bpf_plain_object: .incbin \"" STRUT_BPF_OBJECTS
    "/strut-plain.bpf.o\"\n"
    "strut_bpf_plain_object_end:\n"
    ".balign 16\n"
    "strut_bpf_functions_object: .incbin \"" STRUT_BPF_OBJECTS
    "/functions.bpf.o\"\n"
    "strut_bpf_functions_object_end:\n"
    ".balign 16\n"
    "strut_bpf_awake_object: .incbin \"" STRUT_BPF_OBJECTS
    "/functions-awake.bpf.o\"\n"
    "strut_bpf_awake_object_end:\n"
    ".balign 16\n"
    "strut_d_object: .incbin \"" STRUT_BPF_OBJECTS
    "/dlang.bpf.o\"\n"
    "strut_d_object_end:\n"
    ".balign 16\n"
    "strut_bpf_threads_object: .incbin \"" STRUT_BPF_OBJECTS
    "/threads.bpf.o\"\n"
    "strut_bpf_threads_object_end:\n"
    ".popsection\n");

extern "C" const std::byte strut_bpf_object[];
extern "C" const std::byte strut_bpf_object_end[];
extern "C" const std::byte strut_bpf_plain_object[];
extern "C" const std::byte strut_bpf_plain_object_end[];
extern "C" const std::byte strut_bpf_functions_object[];
extern "C" const std::byte strut_bpf_functions_object_end[];
extern "C" const std::byte strut_bpf_awake_object[];
extern "C" const std::byte strut_bpf_awake_object_end[];
extern "C" const std::byte strut_d_object[];
extern "C" const std::byte strut_d_object_end[];
extern "C" const std::byte strut_bpf_threads_object[];
extern "C" const std::byte strut_bpf_threads_object_end[];

namespace strut {

std::span<const std::byte> embedded_object(Edition edition) {
  if (edition == Edition::Plain) return {strut_bpf_plain_object, strut_bpf_plain_object_end};
  if (edition == Edition::Functions) return {strut_bpf_functions_object, strut_bpf_functions_object_end};
  if (edition == Edition::AwakeFunctions) return {strut_bpf_awake_object, strut_bpf_awake_object_end};
  if (edition == Edition::Threads) return {strut_bpf_threads_object, strut_bpf_threads_object_end};
  return {strut_bpf_object, strut_bpf_object_end};
}

std::span<const std::byte> embedded_d_object() { return {strut_d_object, strut_d_object_end}; }

}  // namespace strut
