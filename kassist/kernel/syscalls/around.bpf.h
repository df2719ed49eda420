/* Plan operations that read the context of a call: WIRE_OP_AROUND and the following ones. */
#pragma once

#include "kassist/kernel/syscalls/details.bpf.h"

enum {
  LEVEL_SOCKET = 1, SCM_RIGHTS_TYPE = 1, SCM_CREDENTIALS_TYPE = 2, SCM_PIDFD_TYPE = 4, /* <linux/socket.h> */
};

/* Appends the file of a descriptor, and its details where they are requested. */
__noinline int append_descriptor(struct scratch *scratch, struct wire_mark *mark, int fd) {
  if (!scratch || !mark || !(around & (WIRE_AROUND_FILES | WIRE_AROUND_OBJECTS))) return 0;
  struct path path = {};
  scratch->walk.file = fd == CURRENT_DIRECTORY ? 0 : file_of(fd);
  struct file *file = (struct file *)scratch->walk.file;
  struct fs_struct *place = BPF_CORE_READ(bpf_get_current_task_btf(), fs);
  void *from = fd == CURRENT_DIRECTORY ? (void *)__builtin_preserve_access_index(&place->pwd)
                                       : (void *)__builtin_preserve_access_index(&file->f_path);
  if (fd == CURRENT_DIRECTORY || file) bpf_probe_read_kernel(&path, sizeof(path), from);
  append_file(scratch, mark, fd, &path);
  if (scratch->walk.file) append_details(scratch, mark, fd, scratch->walk.file);
  return 0;
}

/* -- numbers: a running plan lists them, then the objects that they name are appended ---------------------------- */

static __always_inline void list(struct scratch *scratch, int number, __u32 op) {
  __u32 position = scratch->listed;
  if (position >= MOST_NUMBERS) return;
  struct listed *place = &scratch->numbers[position & (MOST_NUMBERS - 1)];
  place->number = number;
  place->op = op;
  scratch->listed = position + 1;
}

struct listing {
  struct scratch *scratch;
  struct wire_mark *mark;
};

static long append_next(void *map, __u32 *key, __u32 *value, struct listing *listing) {
  struct scratch *scratch = listing->scratch;
  struct wire_mark *mark = listing->mark;
  if (*key >= scratch->listed || *key >= MOST_NUMBERS) return 1;
  struct listed *place = &scratch->numbers[*key & (MOST_NUMBERS - 1)];
  __u32 op = place->op;
  int number = place->number;
  if (op == WIRE_OP_FD) append_descriptor(scratch, mark, number);
  else if (op == WIRE_OP_PID) append_process(scratch, mark, number);
  else if (op == WIRE_OP_IDENTITY) append_identity(scratch, mark, number);
  else if (op == WIRE_OP_NAMESPACES) append_namespaces(scratch, mark, number);
  else if (op == WIRE_OP_OWN_NAMESPACES) append_namespaces(scratch, mark, 0);
  else if (op == WIRE_OP_DIRECTORY) append_descriptor(scratch, mark, CURRENT_DIRECTORY);
  else if (op == WIRE_OP_COMM) append_comm(scratch, mark, bpf_get_current_task_btf());
  return 0;
}

static __always_inline void append_listed(struct scratch *scratch, struct wire_mark *mark) {
  struct listing listing = {scratch, mark};
  if (scratch->listed) bpf_for_each_map_elem(&steps, append_next, &listing, 0);
}

/* Appends a signal's sender and its descriptor. `sender`: for signals of which the kernel keeps no more. */
static __always_inline void append_signal_names(struct scratch* scratch, struct wire_mark* mark,
                                                struct kernel_siginfo* info, int number, int sender) {
  enum { PID = 4, FD = 6, INTS = 8, NUMBER_SIGIO = 29 }; /* ints into the siginfo */
  if (!(around & (WIRE_AROUND_FILES | WIRE_AROUND_IDS))) return;
  int ints[INTS] = {};
  if (bpf_probe_read_kernel(ints, sizeof(ints), info)) ints[PID] = sender;
  scratch->phase = WIRE_MEMORY;
  append_process(scratch, mark, ints[PID]);
  if (number == NUMBER_SIGIO) append_descriptor(scratch, mark, ints[FD]);
}

__noinline __u64 count_of(struct scratch *scratch, const struct wire_op *op);

/* -- numbers in memory: a step lists one, or looks for the next ---------------------------------------------------- */

static __always_inline void begin_search(struct search *search, __u64 at, __u64 left) {
  search->at = at;
  search->left = left;
  search->first = search->word = search->items = 0;
}

/* An fd_set is an array of longs: on little-endian machines it makes no difference how long they are. Returns 0 at its
 * end. */
__noinline int search_set(struct scratch *scratch) {
  if (!scratch) return 0;
  struct search *search = &scratch->search;
  if (search->word) {
    if ((search->word & 1) && search->bit < search->left) list(scratch, search->bit, WIRE_OP_FD);
    search->word >>= 1;
    search->bit++;
    return 1;
  }
  __u32 first = search->first;
  if (first >= search->left) return 0;
  if (bpf_probe_read_user(&search->word, sizeof(search->word), (void *)(search->at + first / 8))) return 0;
  search->bit = first;
  search->first = first + 32;
  return 1;
}

static __always_inline __u64 long_at(struct scratch *scratch, __u64 at) {
  __u64 number = 0;
  __u32 half = 0;
  if (scratch->record.abi == 0) { /* strut::Abi::X86_64 */
    bpf_probe_read_user(&number, sizeof(number), (void *)at);
    return number;
  }
  bpf_probe_read_user(&half, sizeof(half), (void *)at);
  return half;
}

/* The numbers in a control message's content. */
static __always_inline void enter_message(struct search *search, __u32 type, __u64 content, __u64 bytes) {
  if (type != SCM_RIGHTS_TYPE && type != SCM_PIDFD_TYPE && type != SCM_CREDENTIALS_TYPE) return;
  search->item = content;
  search->items = type == SCM_RIGHTS_TYPE ? bytes / 4 : bytes >= 4;
  search->op = type == SCM_CREDENTIALS_TYPE ? WIRE_OP_PID : WIRE_OP_FD;
}

/* struct cmsghdr: its length, a long; level and type, ints. */
__noinline int search_control(struct scratch *scratch) {
  if (!scratch) return 0;
  struct search *search = &scratch->search;
  if (search->items) {
    int number = 0;
    if (bpf_probe_read_user(&number, sizeof(number), (void *)search->item) == 0) list(scratch, number, search->op);
    search->items--;
    search->item += sizeof(number);
    return 1;
  }
  __u64 word = scratch->record.abi == 0 ? 8 : 4, head = word + 8, at = search->at, left = search->left, kind = 0;
  __u64 length = left < head ? 0 : long_at(scratch, at);
  if (length < head || length > left) return 0;
  if (bpf_probe_read_user(&kind, sizeof(kind), (void *)(at + word))) return 0;
  if ((__u32)kind == LEVEL_SOCKET) enter_message(search, kind >> 32, at + head, length - head);
  length = (length + word - 1) & ~(word - 1);
  search->at = at + length;
  search->left = length < left ? left - length : 0;
  return 1;
}

/* One step of an op. Returns 0 when it is done. */
static __always_inline int look_around(struct scratch *scratch, const struct wire_op *op, __u64 steps_done) {
  __u64 value = scratch->run.slots[op->at & (WIRE_SLOTS - 1)];
  if (op->kind != WIRE_OP_FD_SET && op->kind != WIRE_OP_CONTROL) {
    list(scratch, value, op->kind);
    return 0;
  }
  if (!around) return 0;
  if (steps_done == 0) begin_search(&scratch->search, value, count_of(scratch, op));
  return op->kind == WIRE_OP_FD_SET ? search_set(scratch) : search_control(scratch);
}
