/* The user, with the rights that the kernel programs check (process/caller.hpp): plain C for both sides. */
#pragma once

struct wire_caller {
  unsigned long long capabilities; /* the caller's own, without those of strut's file */
  unsigned int is_restricted;      /* 0: it may see every process, and its IDs do not matter */
  unsigned int uid, gid;           /* real */
  unsigned int user_namespace;     /* inode of /proc/PID/ns/user */
  unsigned int pid_namespace;      /* inode of strut's own, restricted or not; 0: the initial one */
};
