/* The kernel side of kassist: one object, its parts by what they look at. */
#include "kassist/kernel/common/seed.bpf.h"
#include "kassist/kernel/syscalls/hooks.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
