// Asking about mounts: statmount(2), listmount(2), <linux/mount.h>; and about namespaces: listns(2), <linux/nsfs.h>.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kStatmountFlags;
extern const ConstantSet kListmountFlags;
extern const Type kStatmountRequest;  ///< struct mnt_id_req: the requested facts of a mount
extern const Type kListmountRequest;  ///< struct mnt_id_req: the beginning of a list
extern const Type kStatmountBuf;      ///< struct statmount; its size is argument 2
extern const Type kNamespaceRequest;  ///< struct ns_id_req of listns
/// As many ids as the result says, no more than argument 2 asked for; even none is a list.
bool lists_no_ids(Decoder& decoder, Addr);
inline constexpr Type kIdsTaken = notation::pointer_to(notation::kHex64, notation::by_result_within(2));
inline constexpr Type kIdList = notation::kEither<lists_no_ids, notation::kAddress, kIdsTaken>;

}  // namespace strut
