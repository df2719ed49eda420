// quotactl(2): <linux/quota.h>, <linux/dqblk_xfs.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The command: QCMD(Q_GETQUOTA, USRQUOTA).
extern const WordLayout kQuotaCommandForm;
inline constexpr Type kQuotaCommand = notation::word(kQuotaCommandForm);
/// The arguments of quotactl's commands from the third on, and of quotactl_fd's.
extern const CommandTable kQuotaTable;
extern const CommandTable kQuotaFdTable;

}  // namespace strut
