#include "symtab/elf/demangle.hpp"

#include <csetjmp>

#include <libiberty/demangle.h>

namespace strut {

namespace {

/// A short mangled name may stand for a very long one: each part may repeat all that came before it.
constexpr size_t kLongestMangled = 16 * 1024, kLongestName = 64 * 1024;

/// Receives a name piece by piece; leaves the demangler when it gets too long. libiberty's callback form keeps
/// everything on the stack, so that nothing is lost by leaving it.
struct Receiver {
  std::string text;
  std::jmp_buf too_long;

  static void take(const char* piece, size_t length, void* receiver) {
    auto& self = *static_cast<Receiver*>(receiver);
    if (self.text.size() + length > kLongestName) std::longjmp(self.too_long, 1);
    self.text.append(piece, length);
  }
};

constexpr int kOptions = DMGL_PARAMS | DMGL_ANSI;

/// False: it is no such name, or its readable form is too long.
bool demangle(const std::string& name, Receiver& receiver) {
  receiver.text.reserve(256);
  if (setjmp(receiver.too_long) != 0) return false;
  if (rust_demangle_callback(name.c_str(), kOptions, Receiver::take, &receiver) != 0) return true;
  receiver.text.clear();
  return cplus_demangle_v3_callback(name.c_str(), kOptions, Receiver::take, &receiver) != 0;
}

}  // namespace

std::string demangled(std::string_view name) {
  if (name.size() > kLongestMangled || (!name.starts_with("_Z") && !name.starts_with("_R"))) return std::string(name);
  std::string plain(name);
  Receiver receiver;
  return demangle(plain, receiver) ? std::move(receiver.text) : plain;
}

}  // namespace strut
