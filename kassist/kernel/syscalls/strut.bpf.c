/* The kernel side of kassist: one object, its parts by their input. */
#include "kassist/kernel/common/seed.bpf.h"
#include "kassist/kernel/syscalls/hooks.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
