// Balancing a Btrfs: <linux/btrfs.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kBtrfsBalanceControls;  ///< BTRFS_IOC_BALANCE_CTL's argument
/// struct btrfs_ioctl_balance_args: what is asked, and with the state how far it is.
extern const Type kBtrfsBalance;

}  // namespace strut
