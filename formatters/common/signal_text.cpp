// Signals by name, alone and in sets.
#include <bit>

#include "formatters/common/value_text.hpp"
#include "syscalls/signal_names.hpp"

namespace strut {

namespace {

constexpr size_t kPrefix = 3;  // "SIG"

}  // namespace

void put_signal_name(TextBuffer& out, int32_t number) {
  if (const char* name = signal_name(number)) return out.put(name);
  out.decimal(int64_t{number});
}

void put_signal_set(TextBuffer& out, const SignalSet& set, const ValueLooks& looks) {
  // The complement is shorter from two thirds of the signals on that the set has room for.
  int room = 8 * set.bytes;
  bool complement = std::popcount(set.bits) >= room * 2 / 3;
  uint64_t all = room >= 64 ? ~0ull : (1ull << room) - 1;
  out.put(complement ? "~[" : "[");
  bool first = true;
  for (uint64_t left = complement ? ~set.bits & all : set.bits; left != 0; left &= left - 1) {
    int number = std::countr_zero(left) + 1;
    if (!first) out.put(' ');
    first = false;
    if (looks.names != NamesAs::Abbrev) out.decimal(int64_t{number});
    if (looks.names == NamesAs::Verbose) out.put(" /* ");
    if (looks.names != NamesAs::Raw) out.put(signal_name(number) + kPrefix);
    if (looks.names == NamesAs::Verbose) out.put(" */");
  }
  out.put(']');
}

}  // namespace strut
