// Commands of ioctl(2) on trusted execution environments, answered without being run.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/tee.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// A structure ends where memory ends, so that no byte behind it can be read; the last one lacks a byte.
#define ASK(command, type, ...)                                                   \
  (OK(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))), \
   FAIL(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))))
#define SHORT(command, type) BOTH(SYS_ioctl, -1, command, (long)golden_at_end(&(type){0}, sizeof(type)) + 1)
#define UUID {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255}
#define TEE_IOC_SHM_REGISTER_FD _IOWR(TEE_IOC_MAGIC, TEE_IOC_BASE + 8, struct shared_fd)

struct shared_fd {
  int64_t fd;
  uint64_t size;
  uint32_t flags;
  int32_t id;
} __attribute__((aligned(8)));

static const uint32_t kWords[4] = {1, 2, 3, 4};

// The command's buffer, whose length is given apart.
static void pass(unsigned long command, const void *bytes, size_t size, uint64_t length) {
  struct tee_ioctl_buf_data *buffer = (void *)(GOLDEN_PAGE + 0x800);
  *buffer = (struct tee_ioctl_buf_data){(uint64_t)golden_at_end(bytes, size), length};
  BOTH(SYS_ioctl, -1, command, buffer);
}
#define PASS(command, type, ...) pass(command, &(type){__VA_ARGS__}, sizeof(type), sizeof(type))

struct session {
  struct tee_ioctl_open_session_arg head;
  struct tee_ioctl_param params[8];
};
struct short_session {
  struct tee_ioctl_open_session_arg head;
  struct tee_ioctl_param params[2];
};
struct invoked {
  struct tee_ioctl_invoke_arg head;
  struct tee_ioctl_param params[3];
};
struct received {
  struct tee_iocl_supp_recv_arg head;
  struct tee_ioctl_param params[2];
};
struct sent {
  struct tee_iocl_supp_send_arg head;
  struct tee_ioctl_param params[2];
};

static void memory(void) {
  ASK(TEE_IOC_VERSION, struct tee_ioctl_version_data, 1, 1, 0xf);
  ASK(TEE_IOC_VERSION, struct tee_ioctl_version_data, 2, 3, 0xf0);
  ASK(TEE_IOC_VERSION, struct tee_ioctl_version_data, 99, 2, 0);
  SHORT(TEE_IOC_VERSION, struct tee_ioctl_version_data);
  ASK(TEE_IOC_SHM_ALLOC, struct tee_ioctl_shm_alloc_data, 4096, 3, -1);
  ASK(TEE_IOC_SHM_ALLOC, struct tee_ioctl_shm_alloc_data, ~0ull, ~0u, 5);
  SHORT(TEE_IOC_SHM_ALLOC, struct tee_ioctl_shm_alloc_data);
  ASK(TEE_IOC_SHM_REGISTER, struct tee_ioctl_shm_register_data, 0x1234, 4096, 1, 7);
  ASK(TEE_IOC_SHM_REGISTER, struct tee_ioctl_shm_register_data, 0, ~0ull, 0, -7);
  SHORT(TEE_IOC_SHM_REGISTER, struct tee_ioctl_shm_register_data);
  ASK(TEE_IOC_SHM_REGISTER_FD, struct shared_fd, 0, 4096, 2, 9);
  ASK(TEE_IOC_SHM_REGISTER_FD, struct shared_fd, -1, 0, 8, 0);
  SHORT(TEE_IOC_SHM_REGISTER_FD, struct shared_fd);
  ASK(TEE_IOC_CANCEL, struct tee_ioctl_cancel_arg, 5, 6);
  SHORT(TEE_IOC_CANCEL, struct tee_ioctl_cancel_arg);
  ASK(TEE_IOC_CLOSE_SESSION, struct tee_ioctl_close_session_arg, 7);
  SHORT(TEE_IOC_CLOSE_SESSION, struct tee_ioctl_close_session_arg);
}

static void sessions(void) {
  PASS(TEE_IOC_OPEN_SESSION, struct tee_ioctl_open_session_arg, UUID, UUID, 0, 2, 3, 4, 5, 0);
  PASS(TEE_IOC_OPEN_SESSION, struct session, {UUID, UUID, 1, 2, 3, 0xffff0000, 1, 8},
       {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 1, 2, 3}, {3, 1, 2, 3}, {5, 1, 2, 3}, {6, ~0ull, 2, 3}, {0x107, 1, 2, 3},
        {0x200, 1, 2, 3}});
  static const uint32_t kLogins[] = {2, 3, 4, 5, 6, 7, 99, 0x80000000, 0xbfffffff, ~0u};
  for (int i = 0; i < 10; i++)
    PASS(TEE_IOC_OPEN_SESSION, struct short_session, {UUID, UUID, kLogins[i], 2, 3, 0xffff0008 + i, i, 2},
         {{i, 1, 2, 3}, {~0ull, 1, 2, 3}});
  PASS(TEE_IOC_OPEN_SESSION, struct short_session, {UUID, UUID, 0, 2, 3, 4, 4, 3}, {{0, 1, 2, 3}, {4, 1, 2, 3}});
  pass(TEE_IOC_OPEN_SESSION, kWords, 16, 104);
  pass(TEE_IOC_OPEN_SESSION, kWords, 16, 0);
  BOTH(SYS_ioctl, -1, TEE_IOC_OPEN_SESSION, OBJECT(struct tee_ioctl_buf_data, 0, 104));
  SHORT(TEE_IOC_OPEN_SESSION, struct tee_ioctl_buf_data);
}

static void requests(void) {
  PASS(TEE_IOC_INVOKE, struct tee_ioctl_invoke_arg, 1, 2, 3, 4, 5, 0);
  PASS(TEE_IOC_INVOKE, struct invoked, {~0u, 2, 3, 0, 2, 3}, {{7, 1, 2, 3}, {1, 4, 5, 6}, {3, 7, 8, 9}});
  PASS(TEE_IOC_INVOKE, struct invoked, {1, 2, 3, 0xffff0006, 1, 4}, {{2, 1, 2, 3}});
  static const uint32_t kResults[] = {0xffff0000, 0xffff000c, 0xffff0010, 0xf0100001, 0xffff3024, 0x80000000};
  for (int i = 0; i < 6; i++) PASS(TEE_IOC_INVOKE, struct tee_ioctl_invoke_arg, 1, 2, 3, kResults[i], 3, 0);
  pass(TEE_IOC_INVOKE, kWords, 16, 24);
  pass(TEE_IOC_INVOKE, kWords, 16, 2000);
  struct tee_ioctl_invoke_arg *most = (void *)memset((char *)GOLDEN_PAGE + 0x1000, 0, 0x1000);
  most->num_params = 31;
  BOTH(SYS_ioctl, -1, TEE_IOC_INVOKE, OBJECT(struct tee_ioctl_buf_data, (uint64_t)most, 24 + 31 * 32));
  most->num_params = 32;
  BOTH(SYS_ioctl, -1, TEE_IOC_INVOKE, OBJECT(struct tee_ioctl_buf_data, (uint64_t)most, 24 + 32 * 32));
  pass(TEE_IOC_INVOKE, kWords, 16, 1);
  SHORT(TEE_IOC_INVOKE, struct tee_ioctl_buf_data);
  PASS(TEE_IOC_SUPPL_RECV, struct received, {1, 2}, {{3, 1, 2, 3}, {6, 4, 5, 6}});
  PASS(TEE_IOC_SUPPL_RECV, struct received, {1, 3}, {{3, 1, 2, 3}, {6, 4, 5, 6}});
  pass(TEE_IOC_SUPPL_RECV, kWords, 4, 8);
  SHORT(TEE_IOC_SUPPL_RECV, struct tee_ioctl_buf_data);
  PASS(TEE_IOC_SUPPL_SEND, struct sent, {1, 2}, {{3, 1, 2, 3}, {6, 4, 5, 6}});
  PASS(TEE_IOC_SUPPL_SEND, struct sent, {0xffff0000, 0}, {{3, 1, 2, 3}});
  pass(TEE_IOC_SUPPL_SEND, kWords, 4, 8);
  SHORT(TEE_IOC_SUPPL_SEND, struct tee_ioctl_buf_data);
}

int main(void) {
  answer_begin();
  memory();
  sessions();
  requests();
  golden_end();
  return 0;
}
