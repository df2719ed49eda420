/* The content of chunks: files, sockets, processes and registers of an event. C, for both sides. */
#pragma once

#include "kassist/wire/wire_types.h"

enum { WIRE_COMM = 16 }; /* TASK_COMM_LEN of <linux/sched.h> */

/* The context that a request needs: fixed before the programs are loaded. */
enum wire_around {
  WIRE_AROUND_FILES = 1,      /* paths behind descriptors */
  WIRE_AROUND_DETAILS = 2,    /* and WIRE_DETAILS of each */
  WIRE_AROUND_IDS = 4,        /* the processes that ids name */
  WIRE_AROUND_COMMS = 8,      /* the threads' own comms */
  WIRE_AROUND_NAMESPACES = 16,
  WIRE_AROUND_OBJECTS = 32,   /* the files of descriptors on which the meaning of memory depends */
  WIRE_AROUND_DIRECTORY = 64, /* the current directory, for calls with a path and no descriptor of its directory */
};

enum wire_file_flags {
  WIRE_FILE_DELETED = 1, /* no name leads to it any more */
  WIRE_FILE_NAMELESS = 2, /* the file has no path: its filesystem composes a name (pipe:[1]) from these values */
  WIRE_FILE_CUT = 4,     /* names are missing at the path's start: too many, too long */
};

/* An open file, or the current directory. Names follow, each ended by a NUL: those of its path from the last one to the
   first, up to strut's own root or to the root of the file's mount namespace; of a nameless file the one name it has.
 */
struct wire_file {
  wire_u64 inode;
  wire_u32 magic;  /* for its filesystem (statfs(2)) */
  wire_u32 device; /* the device of a device file: major << 20 | minor, as the kernel stores it */
  wire_u16 mode;   /* S_IFMT and permissions */
  wire_u16 flags;  /* enum wire_file_flags */
  wire_u32 names;  /* bytes of names */
};

enum wire_details_of {
  WIRE_OF_SOCKET = 1,
  WIRE_OF_EVENTFD,
  WIRE_OF_SIGNALFD,
  WIRE_OF_PIDFD,
  WIRE_OF_TERMINAL, /* /dev/ptmx */
  WIRE_OF_DEVICE,   /* without its path: value is wire_file's device, flags: 1 for a block device */
};

enum wire_socket_flags {
  WIRE_SOCKET_LISTED = 1, /* the kernel's lists of sockets (sock_diag(7)) have it */
  WIRE_SOCKET_BOUND = 2,  /* a TCP socket that is bound and no more: listed since Linux 6.8 */
};

struct wire_details {
  wire_u8 of; /* enum wire_details_of */
  wire_u8 family;
  wire_u8 protocol;
  wire_u8 flags;       /* enum wire_socket_flags; of an eventfd: 1 if EFD_SEMAPHORE */
  wire_u32 number;     /* a netlink socket's port, an eventfd's id, a pidfd's pid, the terminal's number */
  wire_u64 value;      /* an AF_UNIX peer's inode, an eventfd's count, a signalfd's mask */
  wire_u32 network;    /* inode of a socket's network namespace */
  wire_u16 port, peer_port; /* both in network order */
  wire_u8 address[16], peer[16]; /* for an AF_INET6 socket; the first four bytes of an AF_INET one */
  wire_u8 comm[WIRE_COMM]; /* behind a pidfd */
};

struct wire_process {
  wire_u32 id; /* in strut's pid namespace; 0: it has none there */
  wire_u32 foreign; /* 1: the thread's pid namespace is another one */
  wire_u8 comm[WIRE_COMM];
};

/* By their DWARF numbers: rax rdx rcx rbx rsi rdi rbp rsp r8 to r15, rip. */
struct wire_registers {
  wire_u64 numbered[17];
};

/* A thread's floating-point registers, as xsave(1) writes them (Intel SDM volume 1, 13.4.1): %st(0), %xmm0 to %xmm7.
 * Registers that `features` marks as being in their initial state were not written, and are 0: bit 0 %st(0), bit 1
 * the others. */
struct wire_floatings {
  wire_u64 features;
  wire_u64 x87[2];
  wire_u64 vectors[8][2];
};
/* Rings that wake threads of strut's: of a CPU that with this rest. */
enum { WIRE_SWITCHES = 4 };

/* Inodes of namespaces, by the names of /proc/PID/ns in alphabetic order; 0: unknown. */
struct wire_namespaces {
  wire_u32 cgroup, ipc, mnt, net, pid, time, user, uts;
};
