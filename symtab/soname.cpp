#include "symtab/soname.hpp"

#include <cstring>

#include <elf.h>

namespace strut {
namespace {

template <typename Dyn>
std::string_view find(const ElfFile& file, const Section& dynamic, const Section& strings) {
  auto bytes = file.contents(dynamic);
  for (; bytes.size() >= sizeof(Dyn); bytes = bytes.subspan(sizeof(Dyn))) {
    Dyn entry;
    std::memcpy(&entry, bytes.data(), sizeof entry);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_SONAME) return file.string(strings, entry.d_un.d_val);
  }
  return {};
}

}  // namespace

std::string_view soname(const ElfFile& file) {
  const Section* dynamic = file.section(".dynamic");
  const Section* strings = dynamic ? file.section(dynamic->link) : nullptr;
  if (!strings) return {};
  return file.is_64() ? find<Elf64_Dyn>(file, *dynamic, *strings) : find<Elf32_Dyn>(file, *dynamic, *strings);
}

}  // namespace strut
