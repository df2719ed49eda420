// The numbers of <linux/bpf.h> by name.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kBpfCommands;  ///< what bpf(2) is asked for
extern const ConstantSet kBpfMapTypes;
extern const ConstantSet kBpfProgramTypes;
extern const ConstantSet kBpfAttachTypes;
extern const ConstantSet kBpfMapFlags;  ///< of BPF_MAP_CREATE
extern const ConstantSet kBpfOpenFlags;  ///< of what is opened by id
extern const ConstantSet kBpfFileFlags;  ///< of what is pinned, opened by path or loaded
extern const ConstantSet kBpfProgramFlags;  ///< of BPF_PROG_LOAD
extern const ConstantSet kBpfAttachFlags;
extern const ConstantSet kBpfElementFlags;  ///< of look-ups of map elements
extern const ConstantSet kBpfUpdateFlags;  ///< of updates of map elements
extern const ConstantSet kBpfQueryFlags;
extern const ConstantSet kBpfTestFlags;
extern const ConstantSet kBpfKprobeFlags;
extern const ConstantSet kBpfUprobeFlags;
extern const ConstantSet kBpfNetfilterFlags;
extern const ConstantSet kBpfStatistics;
extern const ConstantSet kBpfFdTypes;  ///< of BPF_TASK_FD_QUERY
extern const ConstantSet kBpfRegisters;

}  // namespace strut
