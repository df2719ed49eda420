/* The mapping of a process that an address is in: by a helper that Linux 5.17 brought. Where it is missing the verifier
 * must not come by a call of it, not even in a function that nobody calls: so this is the only place that has one. */
#pragma once

/* 0: `note` was called, as bpf_find_vma() does. The constant is set before loading. */
#define find_area(task, address, note, context) (finds_areas ? bpf_find_vma(task, address, note, context, 0) : -1)
