// Reading another process's memory, tried on our own.
#include "procfs/remote_memory.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace strut::test {

/// Two pages, of which the second cannot be read.
struct EdgeOfMemory {
  EdgeOfMemory()
      : pages(static_cast<char*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::mprotect(pages + 4096, 4096, PROT_NONE);
    std::memset(pages, 'x', 4096);
  }
  ~EdgeOfMemory() { ::munmap(pages, 8192); }
  Addr before_edge(size_t bytes) const { return Addr{reinterpret_cast<uint64_t>(pages) + 4096 - bytes}; }
  char* pages;
};

TEST_CASE("remote memory: as much as can be read") {
  EdgeOfMemory edge;
  RemoteMemory memory(Tid{::getpid()});
  std::array<std::byte, 100> out;
  CHECK(memory.read(edge.before_edge(200), out).bytes == 100);
  CHECK(memory.read(edge.before_edge(30), out).bytes == 30);
  CHECK(memory.read(edge.before_edge(0), out).bytes == 0);
  CHECK(memory.read(Addr{0}, out).bytes == 0);
  CHECK(memory.read(Addr{~0ull - 10}, out).bytes == 0);
  CHECK(memory.read(edge.before_edge(30), {}).bytes == 0);
}

TEST_CASE("remote memory: strings end at NUL, at the limit, or where memory ends") {
  EdgeOfMemory edge;
  RemoteMemory memory(Tid{::getpid()});
  std::array<char, 8192> out;
  edge.pages[4095] = '\0';
  CHECK(memory.read_string(edge.before_edge(4096), out).bytes == 4096);
  CHECK(memory.read_string(edge.before_edge(10), out).bytes == 10);
  CHECK(memory.read_string(edge.before_edge(10), std::span(out).first(5)).bytes == 5);
  edge.pages[4095] = 'x';
  CHECK(memory.read_string(edge.before_edge(10), out).bytes == 10);
  CHECK(memory.read_string(edge.before_edge(4096), out).bytes == 4096);
  CHECK(memory.read_string(edge.before_edge(0), out).bytes == 0);
  CHECK(memory.read_string(Addr{~0ull}, out).bytes == 0);
}

TEST_CASE("remote memory: a string over a page's end is read whole") {
  char* pages = static_cast<char*>(::mmap(nullptr, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::memset(pages, 'y', 9000);
  RemoteMemory memory(Tid{::getpid()});
  std::array<char, 12288> out;
  Addr start{reinterpret_cast<uint64_t>(pages) + 100};
  CHECK(memory.read_string(start, out).bytes == 8901);
  CHECK(std::string_view(out.data(), 8900) == std::string(8900, 'y'));
  ::munmap(pages, 12288);
}

TEST_CASE("remote memory: a process that is gone has none") {
  RemoteMemory memory(Tid{0x7ffffff0});
  std::array<std::byte, 8> out;
  CHECK(memory.read(Addr{4096}, out).bytes == 0);
}

}  // namespace strut::test
