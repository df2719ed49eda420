/* The functions and hooks that D programs are linked from (kassist/d_library.cpp); nothing of it is loaded as it stands. */
#include "kassist/kernel/d_aggregate.bpf.h"
#include "kassist/kernel/d_hooks.bpf.h"
#include "kassist/kernel/d_kernel_stack.bpf.h"
#include "kassist/kernel/d_key.bpf.h"
#include "kassist/kernel/d_linker.bpf.h"
#include "kassist/kernel/d_member.bpf.h"
#include "kassist/kernel/d_number.bpf.h"
#include "kassist/kernel/d_path.bpf.h"
#include "kassist/kernel/d_target.bpf.h"
#include "kassist/kernel/d_events.bpf.h"
#include "kassist/kernel/d_directory.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
