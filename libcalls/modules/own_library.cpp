#include "libcalls/modules/own_library.hpp"

#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <link.h>

namespace strut {

namespace {

struct OwnLibrary {
  void* handle = nullptr;
  uint64_t bias = 0;
  std::string build_id;
  size_t file_bytes = 0;
};

OwnLibrary opened_library() {
  OwnLibrary own;
  if (secure_getenv("GLIBC_TUNABLES")) return own;
  own.handle = ::dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
  link_map* map = nullptr;
  if (!own.handle || ::dlinfo(own.handle, RTLD_DI_LINKMAP, &map) != 0) return {};
  own.bias = map->l_addr;
  auto file = ElfFile::open(map->l_name);
  if (!file) return {};
  own.build_id = file->build_id();
  own.file_bytes = file->bytes().size();
  return own;
}

}  // namespace

std::optional<ChosenHere> chosen_here(const ElfFile& file, std::string_view name, std::string_view version) {
  static const OwnLibrary own = opened_library();
  if (own.build_id.empty() || file.bytes().size() != own.file_bytes || file.build_id() != own.build_id)
    return std::nullopt;
  std::string symbol(name), of(version);
  void* found = of.empty() ? ::dlsym(own.handle, symbol.c_str()) : ::dlvsym(own.handle, symbol.c_str(), of.c_str());
  if (!found) return std::nullopt;
  uint64_t address = reinterpret_cast<uintptr_t>(found) - own.bias;
  if (file.at_address(address).empty()) return ChosenHere{std::nullopt};
  return ChosenHere{address};
}

}  // namespace strut
