#include "kassist/embedded_object.hpp"

// The assembler, not a generated array: the object is 100 KB and more. STRUT_BPF_OBJECT is its path, from the Makefile.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "strut_bpf_object: .incbin \"" STRUT_BPF_OBJECT "\"\n"
    "strut_bpf_object_end:\n"
    ".popsection\n");

extern "C" const std::byte strut_bpf_object[];
extern "C" const std::byte strut_bpf_object_end[];

namespace strut {

std::span<const std::byte> embedded_object() { return {strut_bpf_object, strut_bpf_object_end}; }

}  // namespace strut
