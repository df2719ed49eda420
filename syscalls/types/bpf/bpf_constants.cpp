#include "syscalls/types/bpf/bpf_constants.hpp"

namespace strut {
namespace {

constexpr Constant kCommandsNames[] = {
    {0, "BPF_MAP_CREATE"}, {1, "BPF_MAP_LOOKUP_ELEM"}, {2, "BPF_MAP_UPDATE_ELEM"}, {3, "BPF_MAP_DELETE_ELEM"},
    {4, "BPF_MAP_GET_NEXT_KEY"}, {5, "BPF_PROG_LOAD"}, {6, "BPF_OBJ_PIN"}, {7, "BPF_OBJ_GET"}, {8, "BPF_PROG_ATTACH"},
    {9, "BPF_PROG_DETACH"}, {10, "BPF_PROG_TEST_RUN"}, {11, "BPF_PROG_GET_NEXT_ID"}, {12, "BPF_MAP_GET_NEXT_ID"},
    {13, "BPF_PROG_GET_FD_BY_ID"}, {14, "BPF_MAP_GET_FD_BY_ID"}, {15, "BPF_OBJ_GET_INFO_BY_FD"},
    {16, "BPF_PROG_QUERY"}, {17, "BPF_RAW_TRACEPOINT_OPEN"}, {18, "BPF_BTF_LOAD"}, {19, "BPF_BTF_GET_FD_BY_ID"},
    {20, "BPF_TASK_FD_QUERY"}, {21, "BPF_MAP_LOOKUP_AND_DELETE_ELEM"}, {22, "BPF_MAP_FREEZE"},
    {23, "BPF_BTF_GET_NEXT_ID"}, {24, "BPF_MAP_LOOKUP_BATCH"}, {25, "BPF_MAP_LOOKUP_AND_DELETE_BATCH"},
    {26, "BPF_MAP_UPDATE_BATCH"}, {27, "BPF_MAP_DELETE_BATCH"}, {28, "BPF_LINK_CREATE"}, {29, "BPF_LINK_UPDATE"},
    {30, "BPF_LINK_GET_FD_BY_ID"}, {31, "BPF_LINK_GET_NEXT_ID"}, {32, "BPF_ENABLE_STATS"}, {33, "BPF_ITER_CREATE"},
    {34, "BPF_LINK_DETACH"}, {35, "BPF_PROG_BIND_MAP"}, {36, "BPF_TOKEN_CREATE"}, {37, "BPF_PROG_STREAM_READ_BY_FD"},
    {38, "BPF_PROG_ASSOC_STRUCT_OPS"},
};
constexpr Constant kMapTypesNames[] = {
    {0, "BPF_MAP_TYPE_UNSPEC"}, {1, "BPF_MAP_TYPE_HASH"}, {2, "BPF_MAP_TYPE_ARRAY"}, {3, "BPF_MAP_TYPE_PROG_ARRAY"},
    {4, "BPF_MAP_TYPE_PERF_EVENT_ARRAY"}, {5, "BPF_MAP_TYPE_PERCPU_HASH"}, {6, "BPF_MAP_TYPE_PERCPU_ARRAY"},
    {7, "BPF_MAP_TYPE_STACK_TRACE"}, {8, "BPF_MAP_TYPE_CGROUP_ARRAY"}, {9, "BPF_MAP_TYPE_LRU_HASH"},
    {10, "BPF_MAP_TYPE_LRU_PERCPU_HASH"}, {11, "BPF_MAP_TYPE_LPM_TRIE"}, {12, "BPF_MAP_TYPE_ARRAY_OF_MAPS"},
    {13, "BPF_MAP_TYPE_HASH_OF_MAPS"}, {14, "BPF_MAP_TYPE_DEVMAP"}, {15, "BPF_MAP_TYPE_SOCKMAP"},
    {16, "BPF_MAP_TYPE_CPUMAP"}, {17, "BPF_MAP_TYPE_XSKMAP"}, {18, "BPF_MAP_TYPE_SOCKHASH"},
    {19, "BPF_MAP_TYPE_CGROUP_STORAGE"}, {20, "BPF_MAP_TYPE_REUSEPORT_SOCKARRAY"},
    {21, "BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE"}, {22, "BPF_MAP_TYPE_QUEUE"}, {23, "BPF_MAP_TYPE_STACK"},
    {24, "BPF_MAP_TYPE_SK_STORAGE"}, {25, "BPF_MAP_TYPE_DEVMAP_HASH"}, {26, "BPF_MAP_TYPE_STRUCT_OPS"},
    {27, "BPF_MAP_TYPE_RINGBUF"}, {28, "BPF_MAP_TYPE_INODE_STORAGE"}, {29, "BPF_MAP_TYPE_TASK_STORAGE"},
    {30, "BPF_MAP_TYPE_BLOOM_FILTER"}, {31, "BPF_MAP_TYPE_USER_RINGBUF"}, {32, "BPF_MAP_TYPE_CGRP_STORAGE"},
    {33, "BPF_MAP_TYPE_ARENA"}, {34, "BPF_MAP_TYPE_INSN_ARRAY"}, {35, "BPF_MAP_TYPE_RHASH"},
};
constexpr Constant kProgramTypesNames[] = {
    {0, "BPF_PROG_TYPE_UNSPEC"}, {1, "BPF_PROG_TYPE_SOCKET_FILTER"}, {2, "BPF_PROG_TYPE_KPROBE"},
    {3, "BPF_PROG_TYPE_SCHED_CLS"}, {4, "BPF_PROG_TYPE_SCHED_ACT"}, {5, "BPF_PROG_TYPE_TRACEPOINT"},
    {6, "BPF_PROG_TYPE_XDP"}, {7, "BPF_PROG_TYPE_PERF_EVENT"}, {8, "BPF_PROG_TYPE_CGROUP_SKB"},
    {9, "BPF_PROG_TYPE_CGROUP_SOCK"}, {10, "BPF_PROG_TYPE_LWT_IN"}, {11, "BPF_PROG_TYPE_LWT_OUT"},
    {12, "BPF_PROG_TYPE_LWT_XMIT"}, {13, "BPF_PROG_TYPE_SOCK_OPS"}, {14, "BPF_PROG_TYPE_SK_SKB"},
    {15, "BPF_PROG_TYPE_CGROUP_DEVICE"}, {16, "BPF_PROG_TYPE_SK_MSG"}, {17, "BPF_PROG_TYPE_RAW_TRACEPOINT"},
    {18, "BPF_PROG_TYPE_CGROUP_SOCK_ADDR"}, {19, "BPF_PROG_TYPE_LWT_SEG6LOCAL"}, {20, "BPF_PROG_TYPE_LIRC_MODE2"},
    {21, "BPF_PROG_TYPE_SK_REUSEPORT"}, {22, "BPF_PROG_TYPE_FLOW_DISSECTOR"}, {23, "BPF_PROG_TYPE_CGROUP_SYSCTL"},
    {24, "BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE"}, {25, "BPF_PROG_TYPE_CGROUP_SOCKOPT"},
    {26, "BPF_PROG_TYPE_TRACING"}, {27, "BPF_PROG_TYPE_STRUCT_OPS"}, {28, "BPF_PROG_TYPE_EXT"},
    {29, "BPF_PROG_TYPE_LSM"}, {30, "BPF_PROG_TYPE_SK_LOOKUP"}, {31, "BPF_PROG_TYPE_SYSCALL"},
    {32, "BPF_PROG_TYPE_NETFILTER"},
};
constexpr Constant kAttachTypesNames[] = {
    {0, "BPF_CGROUP_INET_INGRESS"}, {1, "BPF_CGROUP_INET_EGRESS"}, {2, "BPF_CGROUP_INET_SOCK_CREATE"},
    {3, "BPF_CGROUP_SOCK_OPS"}, {4, "BPF_SK_SKB_STREAM_PARSER"}, {5, "BPF_SK_SKB_STREAM_VERDICT"},
    {6, "BPF_CGROUP_DEVICE"}, {7, "BPF_SK_MSG_VERDICT"}, {8, "BPF_CGROUP_INET4_BIND"}, {9, "BPF_CGROUP_INET6_BIND"},
    {10, "BPF_CGROUP_INET4_CONNECT"}, {11, "BPF_CGROUP_INET6_CONNECT"}, {12, "BPF_CGROUP_INET4_POST_BIND"},
    {13, "BPF_CGROUP_INET6_POST_BIND"}, {14, "BPF_CGROUP_UDP4_SENDMSG"}, {15, "BPF_CGROUP_UDP6_SENDMSG"},
    {16, "BPF_LIRC_MODE2"}, {17, "BPF_FLOW_DISSECTOR"}, {18, "BPF_CGROUP_SYSCTL"}, {19, "BPF_CGROUP_UDP4_RECVMSG"},
    {20, "BPF_CGROUP_UDP6_RECVMSG"}, {21, "BPF_CGROUP_GETSOCKOPT"}, {22, "BPF_CGROUP_SETSOCKOPT"},
    {23, "BPF_TRACE_RAW_TP"}, {24, "BPF_TRACE_FENTRY"}, {25, "BPF_TRACE_FEXIT"}, {26, "BPF_MODIFY_RETURN"},
    {27, "BPF_LSM_MAC"}, {28, "BPF_TRACE_ITER"}, {29, "BPF_CGROUP_INET4_GETPEERNAME"},
    {30, "BPF_CGROUP_INET6_GETPEERNAME"}, {31, "BPF_CGROUP_INET4_GETSOCKNAME"}, {32, "BPF_CGROUP_INET6_GETSOCKNAME"},
    {33, "BPF_XDP_DEVMAP"}, {34, "BPF_CGROUP_INET_SOCK_RELEASE"}, {35, "BPF_XDP_CPUMAP"}, {36, "BPF_SK_LOOKUP"},
    {37, "BPF_XDP"}, {38, "BPF_SK_SKB_VERDICT"}, {39, "BPF_SK_REUSEPORT_SELECT"},
    {40, "BPF_SK_REUSEPORT_SELECT_OR_MIGRATE"}, {41, "BPF_PERF_EVENT"}, {42, "BPF_TRACE_KPROBE_MULTI"},
    {43, "BPF_LSM_CGROUP"}, {44, "BPF_STRUCT_OPS"}, {45, "BPF_NETFILTER"}, {46, "BPF_TCX_INGRESS"},
    {47, "BPF_TCX_EGRESS"}, {48, "BPF_TRACE_UPROBE_MULTI"}, {49, "BPF_CGROUP_UNIX_CONNECT"},
    {50, "BPF_CGROUP_UNIX_SENDMSG"}, {51, "BPF_CGROUP_UNIX_RECVMSG"}, {52, "BPF_CGROUP_UNIX_GETPEERNAME"},
    {53, "BPF_CGROUP_UNIX_GETSOCKNAME"}, {54, "BPF_NETKIT_PRIMARY"}, {55, "BPF_NETKIT_PEER"},
    {56, "BPF_TRACE_KPROBE_SESSION"}, {57, "BPF_TRACE_UPROBE_SESSION"}, {58, "BPF_TRACE_FSESSION"},
    {59, "BPF_TRACE_FENTRY_MULTI"}, {60, "BPF_TRACE_FEXIT_MULTI"}, {61, "BPF_TRACE_FSESSION_MULTI"},
};
constexpr Constant kMapFlagsNames[] = {
    {0x1, "BPF_F_NO_PREALLOC"}, {0x2, "BPF_F_NO_COMMON_LRU"}, {0x4, "BPF_F_NUMA_NODE"}, {0x8, "BPF_F_RDONLY"},
    {0x10, "BPF_F_WRONLY"}, {0x20, "BPF_F_STACK_BUILD_ID"}, {0x40, "BPF_F_ZERO_SEED"}, {0x80, "BPF_F_RDONLY_PROG"},
    {0x100, "BPF_F_WRONLY_PROG"}, {0x200, "BPF_F_CLONE"}, {0x400, "BPF_F_MMAPABLE"}, {0x800, "BPF_F_PRESERVE_ELEMS"},
    {0x1000, "BPF_F_INNER_MAP"}, {0x2000, "BPF_F_LINK"},
};
constexpr Constant kOpenFlagsNames[] = {
    {0x8, "BPF_F_RDONLY"}, {0x10, "BPF_F_WRONLY"},
};
constexpr Constant kFileFlagsNames[] = {
    {0x8, "BPF_F_RDONLY"}, {0x10, "BPF_F_WRONLY"}, {0x4000, "BPF_F_PATH_FD"}, {0x8000, "BPF_F_VTYPE_BTF_OBJ_FD"},
    {0x10000, "BPF_F_TOKEN_FD"}, {0x20000, "BPF_F_SEGV_ON_FAULT"}, {0x40000, "BPF_F_NO_USER_CONV"},
    {0x80000, "BPF_F_RB_OVERWRITE"},
};
constexpr Constant kProgramFlagsNames[] = {
    {0x1, "BPF_F_STRICT_ALIGNMENT"}, {0x2, "BPF_F_ANY_ALIGNMENT"}, {0x4, "BPF_F_TEST_RND_HI32"},
    {0x8, "BPF_F_TEST_STATE_FREQ"}, {0x10, "BPF_F_SLEEPABLE"}, {0x20, "BPF_F_XDP_HAS_FRAGS"},
    {0x40, "BPF_F_XDP_DEV_BOUND_ONLY"}, {0x80, "BPF_F_TEST_REG_INVARIANTS"},
};
constexpr Constant kAttachFlagsNames[] = {
    {0x1, "BPF_F_ALLOW_OVERRIDE"}, {0x2, "BPF_F_ALLOW_MULTI"}, {0x4, "BPF_F_REPLACE"}, {0x8, "BPF_F_BEFORE"},
    {0x10, "BPF_F_AFTER"}, {0x20, "BPF_F_ID"}, {0x40, "BPF_F_PREORDER"}, {0x2000, "BPF_F_LINK"},
};
constexpr Constant kElementFlagsNames[] = {
    {0, "BPF_ANY"}, {0x10, "BPF_F_ALL_CPUS"}, {0x8, "BPF_F_CPU"}, {0x4, "BPF_F_LOCK"},
};
constexpr Constant kUpdateFlagsNames[] = {
    {0, "BPF_ANY"}, {0x10, "BPF_F_ALL_CPUS"}, {0x8, "BPF_F_CPU"}, {0x4, "BPF_F_LOCK"}, {2, "BPF_EXIST"},
    {1, "BPF_NOEXIST"},
};
constexpr Constant kQueryFlagsNames[] = {
    {1, "BPF_F_QUERY_EFFECTIVE"},
};
constexpr Constant kTestFlagsNames[] = {
    {1, "BPF_F_TEST_RUN_ON_CPU"}, {2, "BPF_F_TEST_XDP_LIVE_FRAMES"},
};
constexpr Constant kKprobeFlagsNames[] = {
    {1, "BPF_F_KPROBE_MULTI_RETURN"},
};
constexpr Constant kUprobeFlagsNames[] = {
    {1, "BPF_F_UPROBE_MULTI_RETURN"}, {2, "BPF_F_UPROBE_MULTI_PATH_FD"},
};
constexpr Constant kNetfilterFlagsNames[] = {
    {1, "BPF_F_NETFILTER_IP_DEFRAG"},
};
constexpr Constant kStatisticsNames[] = {
    {0, "BPF_STATS_RUN_TIME"},
};
constexpr Constant kFdTypesNames[] = {
    {0, "BPF_FD_TYPE_RAW_TRACEPOINT"}, {1, "BPF_FD_TYPE_TRACEPOINT"}, {2, "BPF_FD_TYPE_KPROBE"},
    {3, "BPF_FD_TYPE_KRETPROBE"}, {4, "BPF_FD_TYPE_UPROBE"}, {5, "BPF_FD_TYPE_URETPROBE"},
};
constexpr Constant kRegistersNames[] = {
    {0, "BPF_REG_0"}, {1, "BPF_REG_1"}, {2, "BPF_REG_2"}, {3, "BPF_REG_3"}, {4, "BPF_REG_4"}, {5, "BPF_REG_5"},
    {6, "BPF_REG_6"}, {7, "BPF_REG_7"}, {8, "BPF_REG_8"}, {9, "BPF_REG_9"}, {10, "BPF_REG_10"},
};

}  // namespace

constinit const ConstantSet kBpfCommands = enumeration("BPF_???", kCommandsNames);
constinit const ConstantSet kBpfMapTypes = enumeration("BPF_MAP_TYPE_???", kMapTypesNames);
constinit const ConstantSet kBpfProgramTypes = enumeration("BPF_PROG_TYPE_???", kProgramTypesNames);
constinit const ConstantSet kBpfAttachTypes = enumeration("BPF_???", kAttachTypesNames);
constinit const ConstantSet kBpfMapFlags = flag_set("BPF_F_???", kMapFlagsNames);
constinit const ConstantSet kBpfOpenFlags = flag_set("BPF_F_???", kOpenFlagsNames);
constinit const ConstantSet kBpfFileFlags = flag_set("BPF_F_???", kFileFlagsNames);
constinit const ConstantSet kBpfProgramFlags = flag_set("BPF_F_???", kProgramFlagsNames);
constinit const ConstantSet kBpfAttachFlags = flag_set("BPF_F_???", kAttachFlagsNames);
constinit const ConstantSet kBpfElementFlags = flag_set("BPF_???", kElementFlagsNames);
constinit const ConstantSet kBpfUpdateFlags = flag_set("BPF_???", kUpdateFlagsNames);
constinit const ConstantSet kBpfQueryFlags = flag_set("BPF_F_QUERY_???", kQueryFlagsNames);
constinit const ConstantSet kBpfTestFlags = flag_set("BPF_F_TEST_???", kTestFlagsNames);
constinit const ConstantSet kBpfKprobeFlags = flag_set("BPF_F_KPROBE_MULTI_???", kKprobeFlagsNames);
constinit const ConstantSet kBpfUprobeFlags = flag_set("BPF_F_UPROBE_MULTI_???", kUprobeFlagsNames);
constinit const ConstantSet kBpfNetfilterFlags = flag_set("BPF_F_NETFILTER_???", kNetfilterFlagsNames);
constinit const ConstantSet kBpfStatistics = enumeration("BPF_STATS_???", kStatisticsNames);
constinit const ConstantSet kBpfFdTypes = enumeration("BPF_FD_TYPE_???", kFdTypesNames);
constinit const ConstantSet kBpfRegisters = enumeration("BPF_REG_???", kRegistersNames);

}  // namespace strut
