/* Function calls: hits of followed threads at sites (trace/function_points.hpp) become records, in the ring
 * and with the numbers of their other events. An object of its own: its ring, marks, losses and control are those of
 * strut.bpf.c. */
#include "kassist/kernel/functions/hits.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
