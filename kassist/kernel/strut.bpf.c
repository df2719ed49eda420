/* The kernel side of kassist: one object, its parts by what they look at. */
#include "kassist/kernel/hooks.bpf.h"
#include "kassist/kernel/seed.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
