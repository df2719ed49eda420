/* The state of a dynamic linker at the function that it calls when it has mapped or unmapped something. The including
 * object defines MAY_SLEEP: whether its program may. */
#pragma once

enum {
  R_DEBUG_STATE = 24, /* r_state of struct r_debug (<link.h>) */
  R_CONSISTENT = 0,   /* RT_CONSISTENT: all that was to be mapped is */
};

/* `at`: the address of r_state. 1 where it cannot be read, too: the helpers fill what they do not read with zeros. */
static __always_inline int is_consistent(__u64 at) {
  __u32 state = ~0u;
#if MAY_SLEEP
  bpf_copy_from_user(&state, sizeof(state), (void *)at);
#else
  bpf_probe_read_user(&state, sizeof(state), (void *)at);
#endif
  return state == R_CONSISTENT;
}
