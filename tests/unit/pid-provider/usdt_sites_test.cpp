// Statically defined probes of the program that runs the tests: their notes are in the code below.
#include "pid-provider/usdt_sites.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>
#include <sys/user.h>

#include "symtab/elf/elf_file.hpp"

using namespace strut;
using Place = SiteOperand::Place;

// As <sys/sdt.h> of SystemTap writes them.
#define NOTE(name, semaphore, operands)                                                                 \
  "990: nop\n"                                                                                          \
  ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                          \
  ".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                                        \
  "991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                                          \
  "993: .8byte 990b\n .8byte _.stapsdt.base\n .8byte " semaphore                                        \
  "\n"                                                                                                  \
  ".asciz \"unit\"\n .asciz \"" name "\"\n .asciz \"" operands                                          \
  "\"\n"                                                                                                \
  "994: .balign 4\n .popsection\n"                                                                      \
  ".ifndef _.stapsdt.base\n .pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"      \
  ".weak _.stapsdt.base\n .hidden _.stapsdt.base\n _.stapsdt.base: .space 1\n .size _.stapsdt.base,1\n" \
  ".popsection\n .endif\n"

extern "C" {
extern volatile uint16_t unit_semaphore, unit_zeros;
extern volatile int64_t unit_word;
__attribute__((section(".probes"), used)) volatile uint16_t unit_semaphore = 0;
__attribute__((section(".bss"), used)) volatile uint16_t unit_zeros;
__attribute__((used)) volatile int64_t unit_word = 5;
[[gnu::noinline]] void unit_probed(int n);
}
void unit_probed(int n) {
  __asm__ volatile(
      NOTE("some__name", "unit_semaphore",
           "-4@%%edi 1@%%ah 8@-8(%%rbp,%%rcx,4) 4@$5 -8@unit_word+2(%%rip) 8f@%%xmm0 2@unit_zeros 8@$unit_word")
          NOTE("in_bss", "unit_zeros", "")
      :
      : "D"(n));
}

namespace {

struct Own {
  ModuleFile file{*ElfFile::open("/proc/self/exe"), "/proc/self/exe", "/"};
  std::vector<UsdtSite> sites = usdt_sites(file);
  const UsdtSite& named(std::string_view name) const {
    auto found = std::ranges::find(sites, name, &UsdtSite::name);
    REQUIRE(found != sites.end());
    return *found;
  }
  uint64_t address_of(std::string_view symbol) const { return file.symbols().named(symbol).at(0)->address; }
};

#define PLACE(name) (offsetof(user_regs_struct, name) / 8)

}  // namespace

TEST_CASE("usdt sites: names, function, instruction and semaphore") {
  unit_probed(1);
  Own own;
  const UsdtSite& site = own.named("some-name");
  CHECK(site.provider == "unit");
  CHECK(site.function == "unit_probed");
  CHECK(site.uprobe == UprobeCost::Emulated);
  CHECK(own.file.elf().bytes()[site.file_offset] == std::byte{0x90});
  REQUIRE(site.semaphore);
  uint64_t address = *own.file.elf().address_of_offset(site.file_offset);
  CHECK(address + static_cast<uint64_t>(site.semaphore->distance) == own.address_of("unit_semaphore"));
  REQUIRE(site.semaphore->file_offset);
  CHECK(*site.semaphore->file_offset == *own.file.elf().offset_of_address(own.address_of("unit_semaphore")));
}

TEST_CASE("usdt sites: the file has no bytes for a semaphore in .bss") {
  Own own;
  REQUIRE(own.named("in_bss").semaphore);
  CHECK_FALSE(own.named("in_bss").semaphore->file_offset);
}

TEST_CASE("usdt sites: operands, symbols by their distance from the site") {
  Own own;
  const UsdtSite& site = own.named("some-name");
  uint64_t address = *own.file.elf().address_of_offset(site.file_offset);
  auto distance = [&](std::string_view symbol) { return static_cast<int64_t>(own.address_of(symbol) - address); };
  REQUIRE(site.arguments.size() == 8);
  const auto& a = site.arguments;
  CHECK(a[0] == SiteOperand{.place = Place::Register, .bytes = 4, .is_signed = true, .base = PLACE(rdi)});
  CHECK(a[1] == SiteOperand{.place = Place::Register, .bytes = 1, .skip = 1, .base = PLACE(rax)});
  CHECK(a[2] ==
        SiteOperand{.place = Place::Memory, .base = PLACE(rbp), .index = PLACE(rcx), .scale = 4, .displacement = -8});
  CHECK(a[3] == SiteOperand{.place = Place::Constant, .bytes = 4, .displacement = 5});
  CHECK(a[4] ==
        SiteOperand{
            .place = Place::Memory, .is_signed = true, .base = PLACE(rip), .displacement = distance("unit_word") + 2});
  CHECK(a[5].place == Place::Unknown);
  CHECK(a[6] ==
        SiteOperand{.place = Place::Memory, .bytes = 2, .base = PLACE(rip), .displacement = distance("unit_zeros")});
  CHECK(a[7] == SiteOperand{.place = Place::Constant, .base = PLACE(rip), .displacement = distance("unit_word")});
  CHECK(site.unknown == "8f@%xmm0");
}
