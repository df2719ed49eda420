// Commands of ioctl(2) on Btrfs, answered without being run.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <linux/fs.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// A structure ends where memory ends, so that no byte behind it can be read.
#define ASK(command, type, ...)                                                   \
  (OK(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))), \
   FAIL(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))))
#define SHORT(command, type) OK(SYS_ioctl, -1, command, (long)golden_at_end(&(type){0}, sizeof(type)) + 1)
#define UUID {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

static void bare(void) {
  static const unsigned long kCommands[] = {BTRFS_IOC_TRANS_START,  BTRFS_IOC_TRANS_END,         BTRFS_IOC_SYNC,
                                            BTRFS_IOC_SCRUB_CANCEL, BTRFS_IOC_QUOTA_RESCAN_WAIT, BTRFS_IOC_BALANCE,
                                            BTRFS_IOC_DEFRAG};
  for (int i = 0; i < 7; i++) OK(SYS_ioctl, -1, kCommands[i], 0), OK(SYS_ioctl, -1, kCommands[i], 0x1234);
  OK(SYS_ioctl, -1, BTRFS_IOC_CLONE, 5);
  OK(SYS_ioctl, -1, BTRFS_IOC_BALANCE_CTL, 1), OK(SYS_ioctl, -1, BTRFS_IOC_BALANCE_CTL, 2);
  OK(SYS_ioctl, -1, BTRFS_IOC_BALANCE_CTL, 9);
}

static void volumes(void) {
  static const unsigned long kCommands[] = {BTRFS_IOC_SNAP_CREATE,   BTRFS_IOC_RESIZE,       BTRFS_IOC_SCAN_DEV,
                                            BTRFS_IOC_FORGET_DEV,    BTRFS_IOC_ADD_DEV,      BTRFS_IOC_RM_DEV,
                                            BTRFS_IOC_SUBVOL_CREATE, BTRFS_IOC_SNAP_DESTROY, BTRFS_IOC_DEVICES_READY};
  for (int i = 0; i < 9; i++) {
    ASK(kCommands[i], struct btrfs_ioctl_vol_args, -1, "na\"me");
    ASK(kCommands[i], struct btrfs_ioctl_vol_args, 5, "");
    SHORT(kCommands[i], struct btrfs_ioctl_vol_args);
  }
  ASK(BTRFS_IOC_CLONE_RANGE, struct btrfs_ioctl_clone_range_args, -1, 1, 2, 3);
  ASK(BTRFS_IOC_DEFAULT_SUBVOL, uint64_t, 5);
  ASK(BTRFS_IOC_DEFAULT_SUBVOL, uint64_t, BTRFS_FS_TREE_OBJECTID);
  ASK(BTRFS_IOC_DEFAULT_SUBVOL, uint64_t, -8ull);
  ASK(BTRFS_IOC_DEFAULT_SUBVOL, uint64_t, 256);
  ASK(BTRFS_IOC_DEFRAG_RANGE, struct btrfs_ioctl_defrag_range_args, 1, -1ull, 3, 4, 2);
  ASK(BTRFS_IOC_DEFRAG_RANGE, struct btrfs_ioctl_defrag_range_args, 1, 5, -1ull, 4, 99, {7});
  ASK(BTRFS_IOC_DEV_INFO, struct btrfs_ioctl_dev_info_args, 1, UUID, 3, 4, {5}, "path");
  ASK(BTRFS_IOC_DEV_INFO, struct btrfs_ioctl_dev_info_args, 1, {0}, 3, 4, {5}, "path");
  ASK(BTRFS_IOC_DEV_REPLACE, struct btrfs_ioctl_dev_replace_args, 0, 1, {{1, 1, "source", "target"}});
  ASK(BTRFS_IOC_DEV_REPLACE, struct btrfs_ioctl_dev_replace_args, 1, 2, .status = {3, 4, 5, 6, 7, 8});
  ASK(BTRFS_IOC_DEV_REPLACE, struct btrfs_ioctl_dev_replace_args, 2, 3);
  ASK(BTRFS_IOC_DEV_REPLACE, struct btrfs_ioctl_dev_replace_args, 9, 99, {{1, 9, "source", "target"}});
  ASK(BTRFS_IOC_FS_INFO, struct btrfs_ioctl_fs_info_args, 1, 2, UUID, 3, 4, 5, 0, 0, 7, 9);
  ASK(BTRFS_IOC_FS_INFO, struct btrfs_ioctl_fs_info_args, 1, 2, {0}, 3, 4, 5, 1, 32, 99, 9, UUID, {1});
  ASK(BTRFS_IOC_GET_DEV_STATS, struct btrfs_ioctl_get_dev_stats, 1, 5, 1, {1, 2, 3, 4, 5});
  ASK(BTRFS_IOC_GET_DEV_STATS, struct btrfs_ioctl_get_dev_stats, 1, 7, 0, {1, 2, 3, 4, 5}, {6, 7});
  ASK(BTRFS_IOC_GET_DEV_STATS, struct btrfs_ioctl_get_dev_stats, 1, 2, 6, {1, 2, 3, 4, 5}, {6, 7});
}

static void features(void) {
  ASK(BTRFS_IOC_GET_FEATURES, struct btrfs_ioctl_feature_flags, 1, 7, 0x3ff);
  ASK(BTRFS_IOC_GET_FEATURES, struct btrfs_ioctl_feature_flags, ~0ull, ~0ull, ~0ull);
  ASK(BTRFS_IOC_GET_FEATURES, struct btrfs_ioctl_feature_flags, 0);
  ASK(BTRFS_IOC_SET_FEATURES, struct btrfs_ioctl_feature_flags[2], {1, 2, 3}, {4, 5, 6});
  ASK(BTRFS_IOC_GET_SUPPORTED_FEATURES, struct btrfs_ioctl_feature_flags[3], {1, 2, 3}, {4, 5, 6}, {7, 8, 9});
  ASK(BTRFS_IOC_SUBVOL_GETFLAGS, uint64_t, 2);
  ASK(BTRFS_IOC_SUBVOL_GETFLAGS, uint64_t, ~0ull);
  ASK(BTRFS_IOC_SUBVOL_SETFLAGS, uint64_t, 8);
  ASK(BTRFS_IOC_SUBVOL_SETFLAGS, uint64_t, 0);
  ASK(BTRFS_IOC_START_SYNC, uint64_t, 8);
  ASK(BTRFS_IOC_WAIT_SYNC, uint64_t, 8);
}

static void searches(void) {
  static struct {
    struct btrfs_data_container head;
    uint64_t values[6];
  } found = {{1, 2, 3, 4}, {10, 20, 30, 40, 50, 60}};
  found.head.elem_cnt = 6;
  ASK(BTRFS_IOC_INO_LOOKUP, struct btrfs_ioctl_ino_lookup_args, 5, 256, "name");
  ASK(BTRFS_IOC_INO_LOOKUP, struct btrfs_ioctl_ino_lookup_args, 0, -5ull, "");
  ASK(BTRFS_IOC_INO_PATHS, struct btrfs_ioctl_ino_path_args, 1, 2, {0}, PUT(found));
  ASK(BTRFS_IOC_INO_PATHS, struct btrfs_ioctl_ino_path_args, 1, 2, {3}, 0x1234);
  ASK(BTRFS_IOC_INO_PATHS, struct btrfs_ioctl_ino_path_args, 1, 2, {3}, 0);
  ASK(BTRFS_IOC_LOGICAL_INO, struct btrfs_ioctl_logical_ino_args, 1, 2, {0}, 0, PUT(found));
  ASK(BTRFS_IOC_LOGICAL_INO, struct btrfs_ioctl_logical_ino_args, 1, 2, {3}, 1, 0x1234);
  ASK(BTRFS_IOC_LOGICAL_INO_V2, struct btrfs_ioctl_logical_ino_args, 1, 2, {3}, 99, 0);
  ASK(BTRFS_IOC_TREE_SEARCH, struct btrfs_ioctl_search_args, {5, 256, -1ull, 3, 4, 5, -1ull, 1, 0xcc, 7});
  struct btrfs_ioctl_search_args args = {{1, 2, 3, 4, 5, 6, 7, 8, 255, 2}};
  struct btrfs_ioctl_search_header headers[] = {{1, 2, 3, 12, 0}, {4, 256, 6, 1, 0}};
  memcpy(args.buf, headers, sizeof headers);
  ASK(BTRFS_IOC_TREE_SEARCH, struct btrfs_ioctl_search_args, args.key, .buf = {1});
  OK(SYS_ioctl, -1, BTRFS_IOC_TREE_SEARCH, &args), FAIL(SYS_ioctl, -1, BTRFS_IOC_TREE_SEARCH, &args);
  static struct {
    struct btrfs_ioctl_search_args_v2 head;
    char bytes[256];
  } second = {{{1, 2, 3, 4, 5, 6, 7, 8, 255, 2}, 256}};
  memcpy(second.bytes, headers, sizeof headers);
  OK(SYS_ioctl, -1, BTRFS_IOC_TREE_SEARCH_V2, &second), FAIL(SYS_ioctl, -1, BTRFS_IOC_TREE_SEARCH_V2, &second);
  ASK(BTRFS_IOC_TREE_SEARCH_V2, struct btrfs_ioctl_search_args_v2, {1, 2, 3, 4, 5, 6, 7, 8, 255, 0}, 5);
}

static void quotas(void) {
  ASK(BTRFS_IOC_QGROUP_ASSIGN, struct btrfs_ioctl_qgroup_assign_args, 1, 2, 3);
  ASK(BTRFS_IOC_QGROUP_CREATE, struct btrfs_ioctl_qgroup_create_args, 1, 2);
  ASK(BTRFS_IOC_QGROUP_LIMIT, struct btrfs_ioctl_qgroup_limit_args, 1, {0x3f, 2, 3, 4, 5});
  ASK(BTRFS_IOC_QGROUP_LIMIT, struct btrfs_ioctl_qgroup_limit_args, 1, {~0ull, 2, 3, 4, 5});
  ASK(BTRFS_IOC_QUOTA_CTL, struct btrfs_ioctl_quota_ctl_args, 1, 2);
  ASK(BTRFS_IOC_QUOTA_CTL, struct btrfs_ioctl_quota_ctl_args, 2, 2);
  ASK(BTRFS_IOC_QUOTA_CTL, struct btrfs_ioctl_quota_ctl_args, 99, 2);
  ASK(BTRFS_IOC_QUOTA_RESCAN, struct btrfs_ioctl_quota_rescan_args, 1, 2);
  ASK(BTRFS_IOC_QUOTA_RESCAN, struct btrfs_ioctl_quota_rescan_args, 1, 2, {3});
  ASK(BTRFS_IOC_QUOTA_RESCAN_STATUS, struct btrfs_ioctl_quota_rescan_args, 1, 2);
  ASK(BTRFS_IOC_SET_RECEIVED_SUBVOL, struct btrfs_ioctl_received_subvol_args, UUID, 1, 2, {3, 4}, {5, 6}, 7);
  ASK(BTRFS_IOC_SET_RECEIVED_SUBVOL, struct btrfs_ioctl_received_subvol_args, {0}, 1, 2, {3, 4}, {5, 6}, 7, {8});
  ASK(BTRFS_IOC_SCRUB, struct btrfs_ioctl_scrub_args, 1, 2, -1ull, 1,
      {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  ASK(BTRFS_IOC_SCRUB, struct btrfs_ioctl_scrub_args, 1, 2, 3, 99);
  ASK(BTRFS_IOC_SCRUB_PROGRESS, struct btrfs_ioctl_scrub_args, 1, 2, 3, 4, {1, 2, 3});
  static uint64_t clones[3] = {1, 5, 256};
  ASK(BTRFS_IOC_SEND, struct btrfs_ioctl_send_args, -1, 3, (void*)PUT(clones), 5, 7, 0);
  ASK(BTRFS_IOC_SEND, struct btrfs_ioctl_send_args, 1, 3, 0, 256, 99, 4, {1});
  ASK(BTRFS_IOC_SEND, struct btrfs_ioctl_send_args, 1, 3, (void*)0x1234, 0, 0);
  struct btrfs_ioctl_space_args space = {3, 7};
  OK(SYS_ioctl, -1, BTRFS_IOC_SPACE_INFO, golden_at_end(&space, sizeof space));
  static struct {
    struct btrfs_ioctl_space_args head;
    struct btrfs_ioctl_space_info infos[3];
  } spaces = {{3, 3}, {{1, 2, 3}, {0x22, 5, 6}, {~0ull, 8, 9}}};
  OK(SYS_ioctl, -1, BTRFS_IOC_SPACE_INFO, &spaces), FAIL(SYS_ioctl, -1, BTRFS_IOC_SPACE_INFO, &spaces);
  spaces.head.space_slots = 0, spaces.head.total_spaces = 5;
  OK(SYS_ioctl, -1, BTRFS_IOC_SPACE_INFO, &spaces), FAIL(SYS_ioctl, -1, BTRFS_IOC_SPACE_INFO, &spaces);
}

static void balances(void) {
  struct btrfs_balance_args every = {.profiles = 0x81ff,
                                     .usage = 5,
                                     .devid = 6,
                                     .pstart = 7,
                                     .pend = 8,
                                     .vstart = 9,
                                     .vend = 10,
                                     .target = 0x10,
                                     .flags = ~0ull,
                                     .limit = 12,
                                     .stripes_min = 13,
                                     .stripes_max = 14};
  struct btrfs_balance_args none = {0};
  struct btrfs_balance_args ranges = {
      .usage_min = 1, .usage_max = 2, .flags = 0x400 | 0x20, .limit_min = 3, .limit_max = 4};
  ASK(BTRFS_IOC_BALANCE_V2, struct btrfs_ioctl_balance_args, 7, 1, every, none, ranges, {1, 2, 3});
  ASK(BTRFS_IOC_BALANCE_V2, struct btrfs_ioctl_balance_args, ~0ull, 99, none, none, none, {1, 2, 3});
  ASK(BTRFS_IOC_BALANCE_PROGRESS, struct btrfs_ioctl_balance_args, 7, 2, none, every, none, {1, 2, 3});
  ASK(BTRFS_IOC_SNAP_CREATE_V2, struct btrfs_ioctl_vol_args_v2, -1, 2, 6, .name = "name");
  static uint64_t inherited[16] = {1, 2, 3, 4, 0x3f, 6, 7, 8, 9, 10, 11, 12, 13};
  ASK(BTRFS_IOC_SNAP_CREATE_V2, struct btrfs_ioctl_vol_args_v2, -1, 2, 4, .size = 96,
      .qgroup_inherit = (void*)inherited, .name = "name");
  ASK(BTRFS_IOC_SUBVOL_CREATE_V2, struct btrfs_ioctl_vol_args_v2, 5, 2, 4, .size = 96, .qgroup_inherit = (void*)0x1234,
      .name = "name");
  ASK(BTRFS_IOC_SUBVOL_CREATE_V2, struct btrfs_ioctl_vol_args_v2, 5, 2, 99, .size = 8, .qgroup_inherit = 0,
      .name = "name");
  SHORT(BTRFS_IOC_SNAP_CREATE_V2, struct btrfs_ioctl_vol_args_v2);
}

int main(void) {
  answer_begin();
  bare();
  volumes();
  features();
  searches();
  quotas();
  balances();
  golden_end();
}
