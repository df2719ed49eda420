/* Functions of memory: scratch, and the target's. */
#pragma once

#include "kassist/kernel/dtrace/core.bpf.h"

/* -- the target's -- */

/* Brings the page of an address in, where the program may sleep: there touch_page() is this one
 * (kassist/dtrace/link.cpp). */
__noinline int touch_page_sleeping(__u64 address) {
  __u8 byte;
  return bpf_copy_from_user(&byte, 1, (void *)address);
}
__noinline int touch_page(__u64 address) {
  asm volatile("" ::: "memory");
  return address == D_SCRATCH_BASE ? 0 : -1;
}

/* -- scratch, and variables behind it -- */

enum d_window { D_IN_SCRATCH, D_IN_GLOBALS, D_IN_THREAD, D_IN_ELEMENTS };

static __always_inline __u64 window_of(__u64 address) {
  if (!has_windows) return D_IN_SCRATCH;
  __u64 window = (address - D_SCRATCH_BASE) / D_WINDOW;
  return window < D_IN_ELEMENTS ? window : D_IN_ELEMENTS;
}
/* The constants say to the verifier which maps are there. */
static __always_inline int is_global(__u64 address) { return global_bytes && window_of(address) == D_IN_GLOBALS; }
static __always_inline int is_of_thread(__u64 address) { return thread_bytes && window_of(address) == D_IN_THREAD; }
static __always_inline int is_element(__u64 address) { return element_bytes && window_of(address) == D_IN_ELEMENTS; }

/* NULL: the thread has no memory. */
static __always_inline __u8 *of_thread_at(__u64 address) {
  __u8 *memory = bpf_task_storage_get(&thread_memory, bpf_get_current_task_btf(), 0, 0);
  return memory ? memory + within(thread_room, address) : 0;
}

/* Where the bytes that were handed out end, from the beginning of the address's part. */
static __always_inline __u64 handed_out(struct d_run *run, __u64 window) {
  if (window == D_IN_THREAD) return thread_bytes && of_thread_at(0) ? thread_bytes : 0;
  return window == D_IN_SCRATCH ? run->scratch_used : window == D_IN_GLOBALS ? global_bytes : element_bytes;
}
static __always_inline __u64 offset_in(__u64 window, __u64 address) {
  return address - D_SCRATCH_BASE - window * D_WINDOW;
}

/* Whether so many bytes at an address were handed out. */
static __always_inline int has_scratch(struct d_run *run, __u64 address, __u64 bytes) {
  __u64 window = window_of(address), offset = offset_in(window, address), used = handed_out(run, window);
  if (offset <= used && bytes <= used - offset) return 1;
  run->fault_address = address;
  return 0;
}

/* Whether an address is one of the kernel's memory, and the caller may see that. */
static __always_inline int is_of_kernel(__u64 address) { return (__s64)address < 0 && !caller.is_restricted; }

/* Memory of the kernel. `bytes` is at most D_SCRATCH. */
static __always_inline int read_kernel(struct d_run *run, void *to, __u64 bytes, __u64 address) {
  run->fault_address = address;
  asm volatile("" : "+r"(bytes));
  if (bytes > D_SCRATCH) return D_BAD_ADDRESS;
  return bpf_probe_read_kernel(to, bytes, (const void *)address) ? D_BAD_ADDRESS : D_OK;
}

/* An address of all others: up to D_SCRATCH bytes may be copied there. */
static __always_inline __u8 *of_others_at(struct d_run *run, __u64 address) {
  if (is_element(address)) {
    __u32 first = 0;
    __u8 *memory = bpf_map_lookup_elem(&element_memory, &first);
    if (memory) return memory + within(element_bytes, address - D_IN_ELEMENTS * D_WINDOW);
  }
  if (is_global(address)) {
    __u32 first = 0;
    struct d_globals *globals = bpf_map_lookup_elem(&global_memory, &first);
    if (globals) return &globals->bytes[within(D_GLOBALS, address)];
  }
  return &run->scratch[within(D_SCRATCH, address)];
}

/* For a read of any size, and for a write of a word at most. */
static __always_inline __u8 *scratch_at(struct d_run *run, __u64 address) {
  __u8 *of_thread = is_of_thread(address) ? of_thread_at(address) : 0;
  return of_thread ? of_thread : of_others_at(run, address);
}

enum { D_RUN_ROOM = 1 << 18 };
_Static_assert(sizeof(struct d_run) <= D_RUN_ROOM, "an offset in d_run may be masked");
enum d_copied { D_OF_TARGET, D_OF_KERNEL, D_OF_RUN }; /* the last: `from` is an offset in struct d_run */

static __always_inline long read_of(enum d_copied what, void *to, __u32 bytes, const void *from) {
  return what == D_OF_TARGET ? bpf_probe_read_user(to, bytes, from) : bpf_probe_read_kernel(to, bytes, from);
}

/* Copies to scratch, or to a variable, as many bytes as has_scratch() has found room for. 0: done. One function, so
 * that the verifier walks it once. */
__noinline int d_copy_to(struct d_run *run, __u64 to, __u64 bytes, __u64 from, __u32 what) {
  if (!run) return -1;
  const void *source = what == D_OF_RUN ? (void *)run + (from & (D_RUN_ROOM - 1)) : (const void *)from;
  if (is_of_thread(to)) {
    __u8 *at = of_thread_at(to);
    asm volatile("" : "+r"(bytes));
    return at && bytes < thread_room ? read_of(what, at, bytes, source) : -1;
  }
  __u8 *at = of_others_at(run, to);
  asm volatile("" : "+r"(bytes));
  return bytes <= D_SCRATCH ? read_of(what, at, bytes, source) : -1;
}

/* -- the target's -- */

/* Memory is read piece by piece: `to` is an address of scratch, or a place in d_run::texts. */
struct d_reading {
  struct d_run *run;
  __u64 from;
  __u64 to;
  __u64 into_text;
};

/* At most a page. 0: done. */
static __always_inline long read_piece(struct d_reading *reading, __u64 done, __u64 bytes) {
  __u64 to = reading->to + done;
  if (!reading->into_text) return d_copy_to(reading->run, to, bytes, reading->from + done, D_OF_TARGET);
  asm volatile("" : "+r"(bytes));
  if (bytes > D_PAGE) return -1;
  return bpf_probe_read_user(&reading->run->texts[to & (D_TEXT_AREA - 1)], bytes, (void *)(reading->from + done));
}

/* As far as the next page goes. loop.at: how many bytes are done; loop.found: it cannot be read from there. */
static long read_page(void *map, __u32 *key, __u32 *value, struct d_reading *reading) {
  struct d_loop *loop = &reading->run->loop;
  __u64 from = reading->from + loop->at, bytes = D_PAGE - (from & (D_PAGE - 1));
  if (loop->at >= loop->end) return 1;
  if (bytes > loop->end - loop->at) bytes = loop->end - loop->at;
  if (reading->run->is_gone ||
      (read_piece(reading, loop->at, bytes) && (touch_page(from) || read_piece(reading, loop->at, bytes)))) {
    loop->found = 1;
    return 1;
  }
  loop->at += bytes;
  return 0;
}

static __always_inline int read_pages(struct d_reading *reading, __u64 bytes) {
  struct d_loop *loop = &reading->run->loop;
  loop->at = loop->found = 0;
  loop->end = bytes;
  bpf_for_each_map_elem(&steps, read_page, reading, 0);
  if (!*(volatile __u64 *)&loop->found) return D_OK;
  reading->run->fault_address = reading->from + loop->at;
  return D_BAD_ADDRESS;
}

/* run->value gets the address of memory for a new element. 0: there is none left, which is counted. */
__noinline int d_new_element(struct d_run *run, __u64 bytes) {
  if (!run) return 0;
  __u64 used = *(volatile __u64 *)&control.element_used;
  if (used + bytes <= element_bytes) used = __sync_fetch_and_add(&control.element_used, (bytes + 15) & ~15ull);
  if (used + bytes > element_bytes) {
    __sync_fetch_and_add(&control.dynamic_drops, 1);
    return 0;
  }
  run->value = D_SCRATCH_BASE + D_IN_ELEMENTS * D_WINDOW + used;
  return 1;
}

/* loop.word gets the address. */
static __always_inline int allocate(struct d_run *run, __u64 bytes) {
  __u64 used = run->scratch_used & (D_SCRATCH * 2 - 1), from = (used + 7) & ~7ull;
  __u64 room = scratch_bytes & (D_SCRATCH * 2 - 1);
  if (from > room || bytes > room - from) return D_NO_SCRATCH;
  if (from > D_SCRATCH || bytes > D_SCRATCH - from) return D_NO_SCRATCH; /* cannot be: for the verifier */
  __u64 fresh = from + bytes - used;
  asm volatile("" : "+r"(fresh));
  if (fresh <= D_SCRATCH) bpf_probe_read_kernel(&run->scratch[used & (D_SCRATCH - 1)], fresh, (const void *)zeros);
  run->scratch_used = from + bytes;
  run->loop.word = D_SCRATCH_BASE + from;
  return D_OK;
}

__noinline int d_Allocate(struct d_run *run, __u32 to, __u64 bytes) {
  if (!run) return 0;
  int fault = allocate(run, bytes);
  if (!fault) *integer(run, to) = run->loop.word;
  return fault;
}

__noinline int d_CopyIn(struct d_run *run, __u32 to, __u64 from, __u64 bytes) {
  if (!run) return 0;
  int fault = allocate(run, bytes);
  if (fault) return fault;
  __u64 address = run->loop.word;
  struct d_reading reading = {run, from, address, 0};
  fault = read_pages(&reading, bytes);
  if (!fault) *integer(run, to) = address;
  return fault;
}

__noinline int d_CopyInTo(struct d_run *run, __u64 from, __u64 bytes, __u64 to) {
  if (!run) return 0;
  if (!has_scratch(run, to, bytes)) return D_BAD_ADDRESS;
  struct d_reading reading = {run, from, to, 0};
  return read_pages(&reading, bytes);
}

/* As much as can be read: a page that is not there ends it. */
__noinline int d_CopyInPart(struct d_run *run, __u32 to, __u64 from, __u64 place, __u64 most) {
  if (!run) return 0;
  if (!has_scratch(run, place, most)) return D_BAD_ADDRESS;
  struct d_reading reading = {run, from, place, 0};
  read_pages(&reading, most);
  *integer(run, to) = run->loop.at;
  return D_OK;
}

/* -- strings -- */

#define HAS_ZERO(word) (((word) - 0x0101010101010101ull) & ~(word) & 0x8080808080808080ull)

/* The index of a word's first zero byte, from the result of HAS_ZERO(). */
static __always_inline __u64 first_zero(__u64 flags) {
  __u64 index = 0;
  flags &= -flags; /* bit 7 of that byte: above it there may be wrong ones */
  if (flags >> 32) {
    index = 4;
    flags >>= 32;
  }
  if (flags >> 16) {
    index += 2;
    flags >>= 16;
  }
  return index + (flags >> 8 != 0);
}

struct d_scan {
  struct d_run *run;
  const __u8 *from; /* in the kernel */
};

/* loop.at: bytes without a NUL; loop.end: at most. */
static long scan_word(void *map, __u32 *key, __u32 *value, struct d_scan *scan) {
  struct d_loop *loop = &scan->run->loop;
  __u64 word = 0;
  if (loop->at >= loop->end) return 1;
  bpf_probe_read_kernel(&word, sizeof(word), scan->from + (loop->at & (D_SCRATCH - 1)));
  word = HAS_ZERO(word);
  if (!word) {
    loop->at += 8;
    return 0;
  }
  loop->at += first_zero(word);
  return 1;
}

/* strnlen of the kernel's memory; up to 8 bytes behind `most` are looked at. */
static __always_inline __u64 length_within(struct d_run *run, const void *from, __u64 most) {
  struct d_scan scan = {run, from};
  run->loop.at = 0;
  run->loop.end = most;
  bpf_for_each_map_elem(&steps, scan_word, &scan, 0);
  __u64 length = *(volatile __u64 *)&run->loop.at;
  return length < most ? length : most;
}

/* Page by page: the end may lie before one that is not there. */
static __always_inline int copy_in_text(struct d_run *run, __u32 to, __u64 from, __u64 most) {
  struct d_reading reading = {run, from, to + sizeof(struct d_text), 1};
  int fault = read_pages(&reading, most);
  __u64 got = fault ? run->loop.at : most, length = length_within(run, bytes_of(run, to), got);
  if (fault && length == got) return fault;
  *text_at(run, to) = (struct d_text){length, 0};
  return D_OK;
}

__noinline int d_CopyInText(struct d_run *run, __u32 to, __u64 from, __u64 most) {
  if (!run) return 0;
  if (most > TEXT_MOST) most = TEXT_MOST;
  __u64 bytes = most & (D_TEXT_MOST - 1);
  asm volatile("" : "+r"(bytes));
  if (bytes >= D_TEXT_MOST) return 0;
  long got = run->is_gone ? -1 : bpf_probe_read_user_str(bytes_of(run, to), bytes + 1, (void *)from);
  if (got < 0 || most == 0) return copy_in_text(run, to, from, most);
  *text_at(run, to) =
      (struct d_text){got ? got - 1 : 0, 0}; /* newer kernels alone count the NUL of an empty string */
  return D_OK;
}

/* A string of the kernel's, cut at `most` bytes. */
static __always_inline int kernel_text(struct d_run *run, __u32 to, __u64 address, __u64 most) {
  __u64 bytes = most & (D_TEXT_MOST - 1);
  asm volatile("" : "+r"(bytes));
  if (bytes >= D_TEXT_MOST) return D_BAD_ADDRESS;
  long got = bpf_probe_read_kernel_str(bytes_of(run, to), bytes + 1, (const void *)address);
  if (got < 0) return D_BAD_ADDRESS;
  *text_at(run, to) = (struct d_text){got ? got - 1 : 0, 0};
  return D_OK;
}

__noinline int d_ScratchText(struct d_run *run, __u32 to, __u64 address, __u64 most) {
  if (!run) return 0;
  __u64 window = window_of(address), offset = offset_in(window, address), used = handed_out(run, window);
  run->fault_address = address;
  if (most > TEXT_MOST) most = TEXT_MOST;
  if (is_of_kernel(address)) return kernel_text(run, to, address, most);
  if (offset >= used) return D_BAD_ADDRESS;
  if (most > used - offset) most = used - offset;
  set_text(run, to, scratch_at(run, address), length_within(run, scratch_at(run, address), most));
  return D_OK;
}

__noinline int d_ScratchStore(struct d_run *run, __u64 address, __u32 from, __u64 most) {
  if (!run) return 0;
  __u64 length = length_of(run, from), bytes = length + 1 < most ? length + 1 : most;
  if (!has_scratch(run, address, bytes)) return D_BAD_ADDRESS;
  __u64 offset = __builtin_offsetof(struct d_run, texts) + (from & (D_TEXT_AREA - 1)) + sizeof(struct d_text);
  d_copy_to(run, address, bytes < length ? bytes : length, offset, D_OF_RUN);
  if (bytes > length) *scratch_at(run, address + length) = 0;
  return D_OK;
}

/* Through the end of the record: overlapping places may be copied in either direction. */
__noinline int d_ScratchCopy(struct d_run *run, __u64 from, __u64 to, __u64 bytes) {
  if (!run) return 0;
  int is_kernels = is_of_kernel(from);
  if ((!is_kernels && !has_scratch(run, from, bytes)) || !has_scratch(run, to, bytes)) return D_BAD_ADDRESS;
  run->fault_address = is_kernels ? from : to;
  if (is_kernels) return d_copy_to(run, to, bytes, from, D_OF_KERNEL) ? D_BAD_ADDRESS : D_OK;
  if (bytes > D_SCRATCH) return D_BAD_ADDRESS; /* within global variables, which may be larger */
  bpf_probe_read_kernel(&run->record[D_RECORD_AREA], bytes, scratch_at(run, from));
  __u64 kept = __builtin_offsetof(struct d_run, record) + D_RECORD_AREA;
  return d_copy_to(run, to, bytes, kept, D_OF_RUN) ? D_BAD_ADDRESS : D_OK;
}

__noinline int d_Load(struct d_run *run, __u32 to, __u64 address, __u32 width) {
  if (!run) return 0;
  __u64 bytes = width & 15, words[2] = {};
  if (is_of_kernel(address)) {
    if (read_kernel(run, words, bytes, address)) return D_BAD_ADDRESS;
  } else if (has_scratch(run, address, bytes)) {
    words[0] = *(__u64 *)scratch_at(run, address);
  } else {
    return D_BAD_ADDRESS;
  }
  __u64 word = words[0];
  __u32 shift = (64 - bytes * 8) & 63;
  *integer(run, to) = width & 16 ? (__u64)((__s64)(word << shift) >> shift) : word << shift >> shift;
  return D_OK;
}

__noinline int d_Store(struct d_run *run, __u64 address, __u64 value, __u32 width) {
  if (!run) return 0;
  if (!has_scratch(run, address, width & 15)) return D_BAD_ADDRESS;
  __u8 *to = scratch_at(run, address);
  switch (width & 15) {
    case 1: *to = value; break;
    case 2: *(__u16 *)to = value; break;
    case 4: *(__u32 *)to = value; break;
    default: *(__u64 *)to = value;
  }
  return D_OK;
}
