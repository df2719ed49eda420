// Run by the build: copies a BPF object without its DWARF, as libbpf's linker does. without-dwarf FROM TO
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <bpf/libbpf.h>

namespace {

/// 0, or the error as libbpf has it.
int copy(const char* from, const char* to) {
  bpf_linker* linker = bpf_linker__new(to, nullptr);
  if (!linker) return -errno;
  int failed = bpf_linker__add_file(linker, from, nullptr);
  if (!failed) failed = bpf_linker__finalize(linker);
  bpf_linker__free(linker);
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: without-dwarf FROM TO\n"), 1;
  int failed = copy(argv[1], argv[2]);
  if (failed) std::fprintf(stderr, "without-dwarf: %s: %s\n", argv[1], std::strerror(-failed));
  return failed != 0;
}
