// Structures that io_uring_register(2) takes one of: buffer rings, cancellations, ranges, polling, memory regions.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

// These are one: argument 3 says so, else it is an address.
extern const Type kUringBufferRing;    ///< struct io_uring_buf_reg
extern const Type kUringBufferStatus;  ///< struct io_uring_buf_status
extern const Type kUringCancel;        ///< struct io_uring_sync_cancel_reg
extern const Type kUringFileRange;     ///< struct io_uring_file_index_range
extern const Type kUringPolling;       ///< struct io_uring_napi
extern const Type kUringClone;         ///< struct io_uring_clone_buffers
extern const Type kUringResize;        ///< struct io_uring_params as IORING_REGISTER_RESIZE_RINGS uses it
extern const Type kUringRegion;        ///< struct io_uring_mem_region_reg
extern const Type kZcrxQueue;          ///< struct io_uring_zcrx_ifq_reg
extern const Type kZcrxControl;        ///< struct zcrx_ctrl

// Argument 3 is the size of these: struct io_uring_rsrc_register and struct io_uring_rsrc_update2.
extern const Type kUringFilesRegister;
extern const Type kUringBuffersRegister;
extern const Type kUringFilesUpdate;
extern const Type kUringBuffersUpdate;

/// A descriptor, or IORING_REGISTER_FILES_SKIP.
extern const Type kUringFdOrSkip;

}  // namespace strut
