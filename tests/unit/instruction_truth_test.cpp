// Our instructions against objdump's, address by address: a part of this machine's libc, or all executable sections of the files
// that STRUT_TRUTH names (a list with colons between).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>
#include <elf.h>
#include <unistd.h>

#include "pid-provider/instruction.hpp"
#include "symtab/process_modules.hpp"

using namespace strut;

namespace {

constexpr uint64_t kPart = 0x20000;

/// Addresses of the lines that objdump prints for [from, to). A "(bad)" is a line, too.
std::vector<uint64_t> objdump_addresses(const std::string& path, uint64_t from, uint64_t to) {
  char command[1024];
  std::snprintf(command, sizeof command, "objdump -d --no-show-raw-insn --start-address=%#lx --stop-address=%#lx '%s' 2>/dev/null", from, to,
                path.c_str());
  FILE* pipe = ::popen(command, "r");
  REQUIRE(pipe);
  std::vector<uint64_t> addresses;
  char line[1024];
  while (std::fgets(line, sizeof line, pipe)) {
    unsigned long address;
    int end = 0;
    if (line[0] == ' ' && std::sscanf(line, " %lx:%n", &address, &end) == 1 && end != 0) addresses.push_back(address);
  }
  ::pclose(pipe);
  return addresses;
}

std::vector<uint64_t> our_addresses(const ElfFile& file, uint64_t from, uint64_t to) {
  std::vector<uint64_t> addresses;
  auto bytes = file.at_address(from);
  bytes = bytes.first(std::min<size_t>(bytes.size(), to - from));
  for (size_t at = 0; at < bytes.size();) {
    addresses.push_back(from + at);
    auto instruction = decode(bytes.subspan(at), from + at);
    at += instruction ? instruction->length : 1;
  }
  return addresses;
}

/// How many instructions were compared.
size_t compare(const std::string& path, const ElfFile& file, uint64_t from, uint64_t to) {
  auto theirs = objdump_addresses(path, from, to);
  if (theirs.empty()) return 0;
  auto ours = our_addresses(file, from, to);
  auto [their, our] = std::mismatch(theirs.begin(), theirs.end(), ours.begin(), ours.end());
  if (their != theirs.end()) FAIL_CHECK(path << ": objdump has an instruction at " << std::hex << *their);
  else if (our != ours.end()) FAIL_CHECK(path << ": objdump has no instruction at " << std::hex << *our);
  return theirs.size();
}

}  // namespace

TEST_CASE("truth: instructions are where objdump finds them") {
  if (const char* paths = std::getenv("STRUT_TRUTH")) {
    std::string_view rest = paths;
    while (!rest.empty()) {
      std::string path(rest.substr(0, rest.find(':')));
      rest.remove_prefix(std::min(rest.size(), path.size() + 1));
      auto file = ElfFile::open(path);
      REQUIRE_MESSAGE(file, path);
      size_t compared = 0;
      for (const Section& section : file->sections())
        if ((section.flags & SHF_EXECINSTR) && section.type == SHT_PROGBITS) compared += compare(path, *file, section.address, section.address + section.bytes);
      MESSAGE(path << ": " << compared << " instructions");
    }
    return;
  }
  ModuleCache cache;
  ProcessModules modules(Pid{getpid()}, cache);
  REQUIRE(modules.refresh());
  const Module* libc = modules.named("libc");
  REQUIRE(libc);
  const Section* text = libc->file->elf().section(".text");
  REQUIRE(text);
  size_t compared = compare(libc->path, libc->file->elf(), text->address, text->address + std::min(kPart, text->bytes));
  if (compared == 0) MESSAGE("SKIPPED: no objdump here");
}
