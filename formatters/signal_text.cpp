// Signals by name, alone and in sets.
#include <bit>

#include "core/signal_names.hpp"
#include "formatters/value_text.hpp"

namespace strut {

namespace {

/// The number of signals in a set, and of set ones from which on the complement is shorter: two thirds.
constexpr int kSignals = 64;
constexpr int kMostSignals = kSignals * 2 / 3;

constexpr size_t kPrefix = 3;  // "SIG"

}  // namespace

void put_signal_name(TextBuffer& out, int32_t number) {
  if (const char* name = signal_name(number)) return out.put(name);
  out.decimal(int64_t{number});
}

void put_signal_set(TextBuffer& out, uint64_t bits, const ValueLooks& looks) {
  bool complement = std::popcount(bits) >= kMostSignals;
  out.put(complement ? "~[" : "[");
  bool first = true;
  for (uint64_t left = complement ? ~bits : bits; left != 0; left &= left - 1) {
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
