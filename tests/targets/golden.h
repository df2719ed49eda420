// Shared by programs with a recorded text: the marks, and a page of data at an address that never changes.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GOLDEN_PAGE ((char *)0x20000000)  // 64 KiB readable and writable; the byte behind it is not mapped
#define GOLDEN_BYTES 0x10000
#define GOLDEN_BAD ((void *)(GOLDEN_PAGE + GOLDEN_BYTES))  // the first address that cannot be read
#define GOLDEN_BEGIN \
  0x601de001  // descriptors that are never open: closing them marks the beginning and the end of the recorded text
#define GOLDEN_END 0x601de002

static inline void golden_begin(void) {
  void *page = mmap(GOLDEN_PAGE, GOLDEN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (page != GOLDEN_PAGE) exit(2);
  close(GOLDEN_BEGIN);
}

// Processes with ids that the text may hold: printed to stdout at the end, so that they can be masked.
static pid_t golden_pids[16];
static inline pid_t golden_pid(pid_t pid) {
  static int count;
  if (count < 16) golden_pids[count++] = pid;
  return pid;
}

static inline void golden_end(void) {
  close(GOLDEN_END);
  golden_pid(getpid());
  for (int i = 0; i < 16 && golden_pids[i] != 0; i++) printf("%d\n", golden_pids[i]);
}

// A copy of `bytes` bytes at this offset of the page.
static inline void* golden_put(size_t offset, const void* from, size_t bytes) {
  return memcpy(GOLDEN_PAGE + offset, from, bytes);
}
// A copy that ends exactly where memory ends.
static inline void* golden_at_end(const void* from, size_t bytes) {
  return memcpy((char*)GOLDEN_BAD - bytes, from, bytes);
}

// A call that is really made, all six of its registers known.
#define SIX(_0, a, b, c, d, e, f, ...) (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)
#define CALL(number, ...) syscall(number, SIX(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0))

#define BAD ((long)GOLDEN_BAD)
// Objects in the page, one behind the other, each 16 bytes from the next.
static size_t golden_used;
static inline long put(const void *from, size_t bytes) {
  if (golden_used + bytes > GOLDEN_BYTES / 2) exit(3);  // the rest is for room() and for objects at the end
  long at = (long)golden_put(golden_used, from, bytes);
  golden_used += (bytes + 15) / 16 * 16;
  return at;
}
#define PUT(object) put(&(object), sizeof(object))
#define TEXT(text) put(text, sizeof(text))
#define WORDS(type, ...) put((type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}))
// A structure with some of its members given: OBJECT(struct timespec, .tv_sec = 1).
#define OBJECT(type, ...) put(&(type){__VA_ARGS__}, sizeof(type))
// The second half of the page except its last quarter, zeroed: room for results of a call.
static inline long room(void) { return (long)memset(GOLDEN_PAGE + GOLDEN_BYTES / 2, 0, GOLDEN_BYTES / 4); }
