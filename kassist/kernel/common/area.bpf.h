/* The mapping of a process that contains an address: by a helper of Linux 5.17. Where it is missing the verifier
 * must not reach a call of it, not even in an unused function: so this is the only call. */
#pragma once

/* 0: `note` was called, as bpf_find_vma() does. The constant is set before loading. */
#define find_area(task, address, note, context) (finds_areas ? bpf_find_vma(task, address, note, context, 0) : -1)
