/* Calls of functions: what followed threads come to at sites (trace/function_points.hpp) becomes records, in the ring
 * and with the numbers of their other events. An object of its own: its ring, marks, losses and pressure are those of
 * strut.bpf.c. */
#include "kassist/kernel/functions/hits.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
