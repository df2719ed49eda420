// The numbers of <linux/bpf.h> by name.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kBpfCommands;  ///< commands of bpf(2)
extern const ConstantSet kBpfMapTypes;
extern const ConstantSet kBpfProgramTypes;
extern const ConstantSet kBpfAttachTypes;
extern const ConstantSet kBpfMapFlags;  ///< for BPF_MAP_CREATE
extern const ConstantSet kBpfOpenFlags;  ///< for objects opened by id
extern const ConstantSet kBpfFileFlags;  ///< for objects that are pinned, opened by path or loaded
extern const ConstantSet kBpfProgramFlags;  ///< for BPF_PROG_LOAD
extern const ConstantSet kBpfAttachFlags;
extern const ConstantSet kBpfElementFlags;  ///< for look-ups of map elements
extern const ConstantSet kBpfUpdateFlags;  ///< for updates of map elements
extern const ConstantSet kBpfQueryFlags;
extern const ConstantSet kBpfTestFlags;
extern const ConstantSet kBpfKprobeFlags;
extern const ConstantSet kBpfUprobeFlags;
extern const ConstantSet kBpfNetfilterFlags;
extern const ConstantSet kBpfStatistics;
extern const ConstantSet kBpfFdTypes;  ///< for BPF_TASK_FD_QUERY
extern const ConstantSet kBpfRegisters;

}  // namespace strut
