/* Functions of paths and tokens, as in dlang/machine/text_functions.cpp. */
#pragma once

#include "kassist/kernel/dtrace/text.bpf.h"

/* The last position before `end` (and `end` itself is none) of a byte that is a slash, or is none. */
static long find_last(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_loop *loop = &search->run->loop;
  if (loop->at >= loop->end) return 1;
  if ((byte_of(search->run, search->a, loop->at) == '/') == (search->b != 0)) loop->found = loop->at;
  loop->at++;
  return 0;
}

static __always_inline __u64 last_of(struct d_run *run, __u32 text, __u64 end, int slash) {
  struct d_search search = {run, text, slash};
  run->loop.at = 0;
  run->loop.end = end;
  run->loop.found = NOWHERE;
  bpf_for_each_map_elem(&steps, find_last, &search, 0);
  return *(volatile __u64 *)&run->loop.found;
}

/* How long a path is without slashes at its end; the root keeps one. */
static __always_inline __u64 without_slashes(struct d_run *run, __u32 text, __u64 length) {
  __u64 last = last_of(run, text, length, 0);
  if (last == NOWHERE) return length ? 1 : 0;
  return last + 1;
}

static __always_inline void set_dot(struct d_run *run, __u32 to) {
  bytes_of(run, to)[0] = '.';
  *text_at(run, to) = (struct d_text){1, 0};
}

__noinline int d_TextBasename(struct d_run *run, __u32 to, __u32 from) {
  if (!run) return 0;
  __u64 length = without_slashes(run, from, length_of(run, from));
  if (!length) {
    set_dot(run, to);
    return 0;
  }
  __u64 slash = last_of(run, from, length, 1), at = slash == NOWHERE ? 0 : slash + 1;
  if (at >= length) at = 0; /* the root */
  set_text(run, to, &bytes_of(run, from)[within(D_TEXT_MOST, at)], length - at);
  return 0;
}

__noinline int d_TextDirname(struct d_run *run, __u32 to, __u32 from) {
  if (!run) return 0;
  __u64 length = without_slashes(run, from, length_of(run, from)), slash = last_of(run, from, length, 1);
  if (slash == NOWHERE) {
    set_dot(run, to);
    return 0;
  }
  length = without_slashes(run, from, slash + 1);
  set_text(run, to, bytes_of(run, from), length);
  return 0;
}

/* -- cleanpath: loop.at is where to look, loop.first where the part began, loop.count how much of temp is written -- */

static __always_inline __u8 *temp_at(struct d_run *run, __u64 at) { return &run->temp[at & (D_TEXT_MOST - 1)]; }

/* inner.found: where the last part begins. */
static long find_last_part(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  struct d_run *run = *holder;
  if (*key >= run->loop.count) return 1;
  if (*temp_at(run, *key) == '/') run->inner.found = *key + 1;
  return 0;
}

static __always_inline void leave_part(struct d_run *run, __u64 begins) {
  run->loop.count = begins > 0 ? begins - 1 : 0;
}

static __always_inline void add_part(struct d_run *run, __u32 text, __u64 from, __u64 length, int rooted) {
  __u64 to = run->loop.count;
  if (rooted || to > 0) *temp_at(run, to++) = '/';
  copy(temp_at(run, to), length, &bytes_of(run, text)[from & (D_TEXT_MOST - 1)]);
  run->loop.count = to + length;
}

/* loop.word: the path begins at the root. Not a function of its own: the kernel allows eight frames, and four are in
 * use when a function of D is called. */
static __always_inline int end_part(struct d_run *run, __u32 text, __u64 from, __u64 length) {
  if (!length) return 0;
  int dots = length <= 2 && byte_of(run, text, from) == '.' && byte_of(run, text, from + length - 1) == '.';
  if (dots && length == 1) return 0;
  if (dots) {
    run->inner.found = 0;
    turn(find_last_part, run);
    __u64 begins = *(volatile __u64 *)&run->inner.found, count = run->loop.count;
    int is_up = count - begins == 2 && *temp_at(run, begins) == '.' && *temp_at(run, begins + 1) == '.';
    int can_leave = count > 0 && !is_up;
    if (can_leave) leave_part(run, begins);
    if (can_leave || run->loop.word) return 0;
  }
  add_part(run, text, from, length, run->loop.word != 0);
  return 0;
}

static long clean_byte(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_run *run = search->run;
  __u64 at = *key;
  if (at > run->loop.end) return 1;
  if (at < run->loop.end && byte_of(run, search->a, at) != '/') return 0;
  end_part(run, search->a, run->loop.first, at - run->loop.first);
  run->loop.first = at + 1;
  return 0;
}

__noinline int d_TextCleanPath(struct d_run *run, __u32 to, __u32 from) {
  if (!run) return 0;
  struct d_search search = {run, from, 0};
  run->loop.end = length_of(run, from);
  run->loop.first = run->loop.count = 0;
  run->loop.word = run->loop.end > 0 && byte_of(run, from, 0) == '/';
  bpf_for_each_map_elem(&steps, clean_byte, &search, 0);
  __u64 count = *(volatile __u64 *)&run->loop.count;
  if (!count && run->loop.end) {
    run->temp[0] = run->loop.word ? '/' : '.';
    count = 1;
  }
  set_text(run, to, run->temp, count);
  return 0;
}

/* -- strtok: the rest of the string stays in the run, for a NULL -- */

static long note_separator(void *map, __u32 *key, __u32 *value, struct d_search *search) {
  struct d_run *run = search->run;
  if (*key >= length_of(run, search->b)) return 1;
  __u8 c = byte_of(run, search->b, *key);
  run->loop.set[c >> 6 & 3] |= 1ull << (c & 63);
  return 0;
}

/* loop.first: where the token begins; loop.found: where it ends. */
static long scan_token(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  struct d_run *run = *holder;
  struct d_loop *loop = &run->loop;
  if (loop->at >= loop->end) return 1;
  __u8 c = run->token[loop->at & (D_TEXT_MOST - 1)];
  int separates = loop->set[c >> 6 & 3] >> (c & 63) & 1;
  if (!separates && loop->first == NOWHERE) loop->first = loop->at;
  if (separates && loop->first != NOWHERE) {
    loop->found = loop->at;
    return 1;
  }
  loop->at++;
  return 0;
}

__noinline int d_TextTokenNext(struct d_run *run, __u32 to, __u32 separators) {
  if (!run) return 0;
  struct d_loop *loop = &run->loop;
  struct d_search search = {run, 0, separators};
  loop->set[0] = loop->set[1] = loop->set[2] = loop->set[3] = 0;
  bpf_for_each_map_elem(&steps, note_separator, &search, 0);
  loop->end = run->token_length;
  loop->at = run->token_at < run->token_length ? run->token_at : run->token_length;
  loop->first = loop->found = NOWHERE;
  turn(scan_token, run);
  __u64 first = *(volatile __u64 *)&loop->first, end = *(volatile __u64 *)&loop->found;
  if (end == NOWHERE) end = loop->end;
  run->token_at = end + 1;
  if (first == NOWHERE) set_null(run, to);
  else set_text(run, to, &run->token[within(D_TEXT_MOST, first)], end - first);
  return 0;
}

__noinline int d_TextToken(struct d_run *run, __u32 to, __u32 from, __u32 separators) {
  if (!run) return 0;
  __u64 length = length_of(run, from);
  if (*(volatile __u32 *)&text_at(run, from)->state != D_NULL) {
    copy(run->token, length, bytes_of(run, from));
    run->token_length = length;
    run->token_at = 0;
  }
  return d_TextTokenNext(run, to, separators);
}
