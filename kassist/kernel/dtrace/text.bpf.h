/* String functions, byte by byte as in dlang/machine/run_texts.cpp and text_functions.cpp. */
#pragma once

#include "kassist/kernel/dtrace/memory.bpf.h"

/* The inputs of a search: b is searched for in a. */
struct d_search {
  struct d_run *run;
  __u32 a, b;
};

/* Compares eight bytes from `at` on; 1: that decides it, or there are no more. */
static __always_inline long compare_word(struct d_run *run, __u32 left, __u32 right, __u64 at) {
  __u64 a = length_of(run, left), b = length_of(run, right);
  a = at < a ? a - at : 0;
  b = at < b ? b - at : 0;
  __u64 x = first_bytes(*(__u64 *)&bytes_of(run, left)[at & (D_TEXT_MOST - 1)], a);
  __u64 y = first_bytes(*(__u64 *)&bytes_of(run, right)[at & (D_TEXT_MOST - 1)], b);
  if (x != y) {
    run->loop.found = __builtin_bswap64(x) < __builtin_bswap64(y) ? -1ull : 1;
    return 1;
  }
  return a <= 8 && b <= 8;
}

static long compare_words(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  return compare_word(search->run, search->a, search->b, (__u64)*key * 8);
}

__noinline int d_TextCompare(struct d_run *run, __u32 to, __u32 a, __u32 b) {
  if (!run) return 0;
  struct d_search search = {run, a, b};
  run->loop.found = 0;
  /* Most strings differ within the first word, and a loop is dear. */
  if (!compare_word(run, a, b, 0)) bpf_for_each_map_elem(&steps, compare_words, &search, 0);
  __u64 order = *(volatile __u64 *)&run->loop.found;
  if (!order) { /* a NUL counts as a byte that is there */
    __u64 x = length_of(run, a), y = length_of(run, b);
    order = x < y ? -1ull : x > y;
  }
  *integer(run, to) = order;
  return 0;
}

__noinline int d_TextLength(struct d_run *run, __u32 to, __u32 from) {
  if (!run) return 0;
  *integer(run, to) = length_of(run, from);
  return 0;
}

__noinline int d_TextByte(struct d_run *run, __u32 to, __u32 from, __u64 at) {
  if (!run) return 0;
  *integer(run, to) = at < length_of(run, from) ? byte_of(run, from, at) : 0;
  return 0;
}

/* By way of temp: the destination may be one of the sources. */
__noinline int d_TextJoin(struct d_run *run, __u32 to, __u32 a, __u32 b) {
  if (!run) return 0;
  __u64 left = length_of(run, a), right = length_of(run, b);
  copy(run->temp, left, bytes_of(run, a));
  if (right > TEXT_MOST - left) right = TEXT_MOST - left;
  copy(&run->temp[left], right, bytes_of(run, b));
  set_text(run, to, run->temp, left + right);
  return 0;
}

/* -- numbers: digits are put into temp from its end -- */

#define D_DIGITS 128
#define D_DIGITS_END 100

static long put_digit(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  struct d_run *run = *holder;
  __u64 base = run->loop.count ? run->loop.count : 10, digit = run->loop.word % base;
  run->loop.at--;
  run->temp[run->loop.at & (D_DIGITS - 1)] = digit < 10 ? '0' + digit : 'a' + digit - 10;
  run->loop.word /= base;
  return run->loop.word == 0;
}

static __always_inline void put_before(struct d_run *run, char what) {
  run->loop.at--;
  run->temp[run->loop.at & (D_DIGITS - 1)] = what;
}

__noinline int d_TextFromInteger(struct d_run *run, __u32 to, __u64 value, __u32 base) {
  if (!run) return 0;
  int negative = base == 10 && (__s64)value < 0;
  run->loop.at = D_DIGITS_END;
  run->loop.word = negative ? -value : value;
  run->loop.count = base;
  turn(put_digit, run);
  if (negative) put_before(run, '-');
  if (base == 8 && value) put_before(run, '0');
  if (base == 16) {
    put_before(run, 'x');
    put_before(run, '0');
  }
  __u64 at = *(volatile __u64 *)&run->loop.at & (D_DIGITS - 1);
  set_text(run, to, &run->temp[at], D_DIGITS_END - at);
  return 0;
}

static __always_inline __u32 digit_of(__u8 c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 255;
}

static __always_inline int is_blank(__u8 c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static long skip_blank(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_loop *loop = &search->run->loop;
  if (loop->at >= loop->end || !is_blank(byte_of(search->run, search->a, loop->at))) return 1;
  loop->at++;
  return 0;
}

/* loop.word is the value, loop.count the most, search.b the base. */
static long take_digit(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_loop *loop = &search->run->loop;
  __u32 base = search->b;
  if (loop->at >= loop->end || base == 0) return 1;
  __u32 digit = digit_of(byte_of(search->run, search->a, loop->at));
  if (digit >= base) return 1;
  loop->word = loop->word > (loop->count - digit) / base ? loop->count : loop->word * base + digit;
  if (loop->word >= loop->count) loop->word = loop->count;
  loop->at++;
  return 0;
}

__noinline int d_TextToInteger(struct d_run *run, __u32 to, __u32 from, __u64 base) {
  if (!run) return 0;
  if (base < 2 || base > 36) return D_ILLEGAL_OPERATION;
  struct d_loop *loop = &run->loop;
  struct d_search search = {run, from, base};
  loop->at = loop->word = 0;
  loop->end = length_of(run, from);
  bpf_for_each_map_elem(&steps, skip_blank, &search, 0);
  __u64 at = *(volatile __u64 *)&loop->at;
  __u8 sign = at < loop->end ? byte_of(run, from, at) : 0;
  if (sign == '-' || sign == '+') at++;
  if (base == 16 && loop->end - at > 2 && at < loop->end && byte_of(run, from, at) == '0' &&
      (byte_of(run, from, at + 1) | 32) == 'x' && digit_of(byte_of(run, from, at + 2)) < 16)
    at += 2;
  loop->at = at;
  loop->count = sign == '-' ? 1ull << 63 : ~0ull >> 1;
  bpf_for_each_map_elem(&steps, take_digit, &search, 0);
  __u64 value = *(volatile __u64 *)&loop->word;
  *integer(run, to) = sign == '-' ? -value : value;
  return 0;
}

/* -- searches: loop.at is where to look next, loop.found where it is, all ones: nowhere -- */

#define NOWHERE (~0ull)

static long find_byte(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_loop *loop = &search->run->loop;
  if (loop->at >= loop->end) return 1;
  if (byte_of(search->run, search->a, loop->at) == (__u8)search->b) loop->found = loop->at;
  loop->at++;
  return loop->found != NOWHERE && loop->count == 1;
}

/* The first of a byte, or the last. */
static __always_inline __u64 position_of(struct d_run *run, __u32 text, __u8 byte, int last) {
  struct d_search search = {run, text, byte};
  run->loop.at = 0;
  run->loop.end = length_of(run, text);
  run->loop.found = NOWHERE;
  run->loop.count = last ? 2 : 1;
  bpf_for_each_map_elem(&steps, find_byte, &search, 0);
  return *(volatile __u64 *)&run->loop.found;
}

/* a = b from a position on, NULL if that is nowhere. */
static __always_inline void set_from(struct d_run *run, __u32 to, __u32 from, __u64 at) {
  __u64 length = length_of(run, from);
  if (at > length) return set_null(run, to);
  set_text(run, to, &bytes_of(run, from)[within(D_TEXT_MOST, at)], length - at);
}

__noinline int d_TextFind(struct d_run *run, __u32 to, __u32 from, __u64 byte) {
  if (run) set_from(run, to, from, position_of(run, from, byte, 0));
  return 0;
}

__noinline int d_TextFindLast(struct d_run *run, __u32 to, __u32 from, __u64 byte) {
  if (run) set_from(run, to, from, position_of(run, from, byte, 1));
  return 0;
}

static long match_words(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_run *run = search->run;
  __u64 at = (__u64)*key * 8, length = length_of(run, search->b);
  if (at >= length) return 1;
  __u64 x = *(__u64 *)&bytes_of(run, search->a)[(run->loop.at + at) & (D_TEXT_MOST - 1)];
  __u64 y = *(__u64 *)&bytes_of(run, search->b)[at & (D_TEXT_MOST - 1)];
  if (first_bytes(x ^ y, length - at) == 0) return 0;
  run->inner.found = 0;
  return 1;
}

/* loop.end: the last position at which it may begin. */
static long find_text(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_run *run = search->run;
  if (run->loop.at > run->loop.end) return 1;
  run->inner.found = 1;
  bpf_for_each_map_elem(&steps, match_words, search, 0);
  if (*(volatile __u64 *)&run->inner.found) run->loop.found = run->loop.at;
  run->loop.at++;
  return run->loop.found != NOWHERE && run->loop.count == 1;
}

/* The first or last b in a that begins from `from` to `to`. */
static __always_inline __u64 position_of_text(struct d_run *run, __u32 a, __u32 b, __u64 from, __u64 to, int last) {
  struct d_search search = {run, a, b};
  __u64 length = length_of(run, a), part = length_of(run, b);
  if (part > length || from > length - part) return NOWHERE;
  run->loop.at = from;
  run->loop.end = to < length - part ? to : length - part;
  run->loop.found = NOWHERE;
  run->loop.count = last ? 2 : 1;
  bpf_for_each_map_elem(&steps, find_text, &search, 0);
  return *(volatile __u64 *)&run->loop.found;
}

__noinline int d_TextFindText(struct d_run *run, __u32 to, __u32 from, __u32 what) {
  if (run) set_from(run, to, from, position_of_text(run, from, what, 0, NOWHERE, 0));
  return 0;
}

__noinline int d_TextIndex(struct d_run *run, __u32 to, __u32 text, __u32 what, __s64 from) {
  if (!run) return 0;
  *integer(run, to) = position_of_text(run, text, what, from < 0 ? 0 : from, NOWHERE, 0);
  return 0;
}

__noinline int d_TextIndexLast(struct d_run *run, __u32 to, __u32 text, __u32 what, __s64 from) {
  if (!run) return 0;
  *integer(run, to) = from < 0 ? NOWHERE : position_of_text(run, text, what, 0, from, 1);
  return 0;
}

__noinline int d_TextPart(struct d_run *run, __u32 to, __u32 text, __s64 from, __s64 length) {
  if (!run) return 0;
  __s64 size = length_of(run, text);
  if (from < 0) {
    from += size;
    if (from < 0) { /* the part before the string's beginning is cut */
      if (length >= 0) length = length + from > 0 ? length + from : 0;
      from = 0;
    }
  }
  __s64 left = from < size ? size - from : 0;
  if (length < 0) length = left + length > 0 ? left + length : 0;
  if (length > left) length = left;
  set_text(run, to, &bytes_of(run, text)[within(D_TEXT_MOST, from)], length);
  return 0;
}

/* -- letters -- */

static long change_case(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_run *run = search->run;
  __u64 at = *key;
  if (at >= length_of(run, search->a)) return 1;
  __u8 *c = &bytes_of(run, search->a)[at & (D_TEXT_MOST - 1)];
  if ((__u8)(*c - (__u8)search->b) < 26) *c ^= 32;
  return 0;
}

static __always_inline void with_case(struct d_run *run, __u32 to, __u32 from, char first) {
  struct d_search search = {run, to, first};
  if (to != from) set_text(run, to, bytes_of(run, from), length_of(run, from));
  bpf_for_each_map_elem(&steps, change_case, &search, 0);
}

__noinline int d_TextLower(struct d_run *run, __u32 to, __u32 from) {
  if (run) with_case(run, to, from, 'A');
  return 0;
}

__noinline int d_TextUpper(struct d_run *run, __u32 to, __u32 from) {
  if (run) with_case(run, to, from, 'a');
  return 0;
}

/* -- addresses -- */

/* Behind the first of the longest runs of zero groups: inner.first and inner.count; a zero alone is none. */
static __always_inline void find_zeros(struct d_run *run, const __u8 *address) {
  struct d_loop *zeros = &run->inner;
  zeros->count = 1;
  zeros->first = 8;
  zeros->found = 0;
  for (int i = 0; i < 8; i++) {
    if (address[2 * i] | address[2 * i + 1]) {
      zeros->found = 0;
      continue;
    }
    zeros->found++;
    if (zeros->found <= zeros->count) continue;
    zeros->count = zeros->found;
    zeros->first = i + 1 - zeros->found;
  }
}

/* Digits and separators, from the last to the first. */
static __always_inline void put_four(struct d_run *run, const __u8 *address) {
  run->loop.count = 10;
  for (int i = 3; i >= 0; i--) {
    run->loop.word = address[i];
    turn(put_digit, run);
    if (i > 0) put_before(run, '.');
  }
}

static __always_inline void put_eight(struct d_run *run, const __u8 *address) {
  find_zeros(run, address);
  run->loop.count = 16;
  for (int i = 7; i >= 0; i--) {
    __u64 first = *(volatile __u64 *)&run->inner.first, count = *(volatile __u64 *)&run->inner.count;
    __u64 group = i;
    if (first == group) {
      put_before(run, ':');
      if (i == 0) put_before(run, ':');
    }
    if (first <= group && group < first + count) continue;
    if (i < 7) put_before(run, ':');
    run->loop.word = address[2 * i] << 8 | address[2 * i + 1];
    turn(put_digit, run);
  }
}

/* The bytes of an address of the network, in scratch or in the kernel; 0: they cannot be read. */
static __always_inline const __u8 *network_address(struct d_run *run, __u64 address, __u32 bytes) {
  if (!is_of_kernel(address)) return has_scratch(run, address, bytes) ? scratch_at(run, address) : 0;
  return read_kernel(run, &run->temp[D_DIGITS], bytes, address) ? 0 : &run->temp[D_DIGITS];
}

__noinline int d_TextInet(struct d_run *run, __u32 to, __u64 family, __u64 address) {
  if (!run) return D_OK;
  if (family != 2 && family != 10) return D_ILLEGAL_OPERATION; /* AF_INET, AF_INET6 */
  const __u8 *bytes = network_address(run, address, family == 2 ? 4 : 16);
  if (!bytes) return D_BAD_ADDRESS;
  run->loop.at = D_DIGITS_END;
  if (family == 2) put_four(run, bytes);
  else put_eight(run, bytes);
  __u64 at = *(volatile __u64 *)&run->loop.at & (D_DIGITS - 1);
  set_text(run, to, &run->temp[at], D_DIGITS_END - at);
  return D_OK;
}

static __always_inline __u8 hex_digit(__u8 value) { return value < 10 ? '0' + value : 'a' + value - 10; }

__noinline int d_TextLink(struct d_run *run, __u32 to, __u64 type, __u64 address) {
  if (!run) return D_OK;
  if (type != 1 && type != 32) return D_ILLEGAL_OPERATION; /* ARPHRD_ETHER, ARPHRD_INFINIBAND */
  int last = type == 1 ? 5 : 19;
  const __u8 *bytes = network_address(run, address, last + 1);
  if (!bytes) return D_BAD_ADDRESS;
  run->loop.at = D_DIGITS_END;
  for (int i = 19; i >= 0; i--) {
    if (i > last) continue;
    put_before(run, hex_digit(bytes[i] & 15));
    put_before(run, hex_digit(bytes[i] >> 4));
    if (i > 0) put_before(run, ':');
  }
  __u64 at = *(volatile __u64 *)&run->loop.at & (D_DIGITS - 1);
  set_text(run, to, &run->temp[at], D_DIGITS_END - at);
  return D_OK;
}
