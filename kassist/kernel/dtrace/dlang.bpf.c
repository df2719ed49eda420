/* The functions and hooks that D programs are linked from (kassist/dtrace/library.cpp); nothing of it is loaded as it
 * stands. */
#include "kassist/kernel/dtrace/aggregate.bpf.h"
#include "kassist/kernel/dtrace/hooks.bpf.h"
#include "kassist/kernel/dtrace/kernel_stack.bpf.h"
#include "kassist/kernel/dtrace/key.bpf.h"
#include "kassist/kernel/dtrace/linker.bpf.h"
#include "kassist/kernel/dtrace/member.bpf.h"
#include "kassist/kernel/dtrace/number.bpf.h"
#include "kassist/kernel/dtrace/path.bpf.h"
#include "kassist/kernel/dtrace/speculation.bpf.h"
#include "kassist/kernel/dtrace/target.bpf.h"
#include "kassist/kernel/dtrace/events.bpf.h"
#include "kassist/kernel/dtrace/watches.bpf.h"
#include "kassist/kernel/dtrace/directory.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
