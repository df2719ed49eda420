// Memory: mappings and their flags, advice, locks, keys, nodes, shared segments, other processes' memory.
// strut: golden: | -v | -X raw | -X verbose | -e raw=all | -e verbose=none | -xx | -N
// strut: golden: -y -e trace=%memory,close -e inject=mmap,mmap2,brk,mremap:error=ENOMEM:when=100+ | -e inject=mincore:retval=0
// strut: also -m32
#include <linux/mempolicy.h>
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/uio.h>

#include "golden_answer.h"

enum { PIDFD_MADVISE = 440, MSEAL = 462, MEMFD_SECRET = 447, MREMAP_DONTUNMAP_ = 4, HOME_NODE = 450, RELEASE = 448 };
#ifdef __x86_64__
enum { MAP_CALL = SYS_mmap, PAGE_UNIT = 4096 };
#else
enum { MAP_CALL = SYS_mmap2, PAGE_UNIT = 1 };
#endif

static void mappings(void) {
  long at = 0x30000000;
  CALL(MAP_CALL, at, 0x4000, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  CALL(MAP_CALL, at + 0x8000, 0x1000, 0, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  CALL(MAP_CALL, at, 0, 7, 0, 0, 0);
  CALL(MAP_CALL, 0, 4096, 1, MAP_PRIVATE, 77, 2 * PAGE_UNIT);
  for (int bit = 0; bit < 32; bit++) FAIL(MAP_CALL, 0, 4096, 1u << bit, 1u << bit, 3, 0);
  FAIL(MAP_CALL, 0, -1, -1, -1, -1, -PAGE_UNIT);
  FAIL(MAP_CALL, at, 1 << 21, PROT_READ | 0x01000000, MAP_SHARED_VALIDATE | MAP_HUGETLB | 21 << 26, 3, 7 * PAGE_UNIT);
  FAIL(MAP_CALL, at, 1 << 30, PROT_EXEC | 0x02000000, MAP_PRIVATE | MAP_HUGETLB | 30 << 26 | MAP_STACK, 3, 0);
  CALL(SYS_mprotect, at, 0x2000, PROT_READ);
  CALL(SYS_mprotect, at + 1, 0x2000, PROT_READ | 0x10);
  CALL(SYS_mremap, at, 0x4000, 0x2000, 0, 0);
  CALL(SYS_mremap, at, 0x2000, 0x2000, MREMAP_MAYMOVE | MREMAP_FIXED, at + 0x10000);
  FAIL(SYS_mremap, at, 0, 4096, MREMAP_MAYMOVE, 0x1234);
  FAIL(SYS_mremap, at, 0, 4096, MREMAP_FIXED | MREMAP_DONTUNMAP_ | 8, 0x1234);
  CALL(SYS_munmap, at + 0x10000, 0x2000);
  CALL(SYS_munmap, 3, 0);
  FAIL(SYS_brk, -1L);
  FAIL(SYS_remap_file_pages, at, 4096, 0, 1, MAP_NONBLOCK | 1);
  FAIL(MSEAL, at, 4096, 1);
}

static void advice(void) {
  long page = (long)GOLDEN_PAGE;
  for (int advice = -1; advice < 27; advice++) FAIL(SYS_madvise, page, 4096, advice);
  for (int advice = 98; advice < 105; advice++) FAIL(SYS_madvise, page, 4096, advice);
  CALL(SYS_madvise, page + 0xf000, 4096, MADV_WILLNEED);
  CALL(SYS_msync, page, 4096, MS_ASYNC | MS_INVALIDATE | MS_SYNC);
  CALL(SYS_msync, page, 4096, 8);
  FAIL(SYS_mlock, page, 4096);
  FAIL(325 /* mlock2 */ + (sizeof(long) == 4 ? 51 : 0), page, 4096, 3);
  FAIL(SYS_munlock, page, 4096);
  FAIL(SYS_mlockall, 1 | 2 | 4 | 8);
  FAIL(SYS_munlockall);
  long vector = room();
  memset((void *)vector, 1, 64);
  OK(SYS_mincore, page, 0x4000, vector);
  OK(SYS_mincore, page, 40 * 4096, vector);
  OK(SYS_mincore, page, 4 * 4096, BAD - 2);
  CALL(SYS_mincore, page, 4096, BAD);
  CALL(SYS_mincore, page + 1, 4096, vector);
  long ranges = put((struct iovec[]){{GOLDEN_PAGE, 4096}, {0, 3}}, 2 * sizeof(struct iovec));
  FAIL(PIDFD_MADVISE, 3, ranges, 2, MADV_COLD, 0);
  FAIL(PIDFD_MADVISE, 3, BAD, 2, MADV_PAGEOUT, 7);
  FAIL(RELEASE, 5, 1);
}

static void keys_and_nodes(void) {
#ifdef __x86_64__
  FAIL(SYS_pkey_alloc, 0, 1 | 2 | 4);
  FAIL(SYS_pkey_mprotect, GOLDEN_PAGE, 4096, 3, -1);
  FAIL(SYS_pkey_free, 1);
  FAIL(SYS_memfd_create, TEXT("a \"name\""), 0x1f);
  FAIL(SYS_memfd_create, BAD, 21u << 26 | 4);
#endif
  FAIL(MEMFD_SECRET, 0x80000 | 1);
  long nodes = WORDS(unsigned long, 5, 0x80000000, 0, 0);
  FAIL(SYS_mbind, GOLDEN_PAGE, 4096, MPOL_BIND | 1 << 15, nodes, 65, 1 | 2 | 4 | 8);
  FAIL(SYS_mbind, GOLDEN_PAGE, 4096, 7, nodes, 0, 0);
  FAIL(SYS_mbind, GOLDEN_PAGE, 4096, 1 << 13 | 2, BAD, 10, 0);
  FAIL(SYS_set_mempolicy, MPOL_INTERLEAVE | 1 << 14, nodes, 33);
  long mode = WORDS(int, 3);
  BOTH(SYS_get_mempolicy, mode, nodes, 64, GOLDEN_PAGE, 1 | 2 | 4);
  BOTH(SYS_get_mempolicy, mode, 0, 0, 0, 0);
  BOTH(SYS_get_mempolicy, BAD, BAD, 100, 0, 8);
  FAIL(SYS_migrate_pages, 0, 40, nodes, nodes);
  FAIL(HOME_NODE, GOLDEN_PAGE, 4096, 1, 0);
  long pages = WORDS(long, 0x20000000, 0x30000000, 1), numbers = WORDS(int, 0, 1, -1), status = WORDS(int, 0, -14, 2);
  BOTH(SYS_move_pages, 0, 3, pages, numbers, status, 2 | 4);
  BOTH(SYS_move_pages, 0, 3, pages, 0, status, 1);
  FAIL(SYS_move_pages, 0, -1, BAD - sizeof(long), BAD - 4, BAD - 4, 0);
  for (int command = -1; command < 10; command++) FAIL(SYS_membarrier, command == -1 ? -1 : 1 << command, 1, 2);
  FAIL(SYS_membarrier, 0, 0, 0);
}

static void segments(void) {
#ifdef __x86_64__
  FAIL(SYS_shmget, IPC_PRIVATE, 4096, IPC_CREAT | IPC_EXCL | SHM_HUGETLB | SHM_NORESERVE | 0600);
  FAIL(SYS_shmget, 0x1234, 0, -1);
  FAIL(SYS_shmat, 7, 0x1000, SHM_RDONLY | SHM_RND | SHM_REMAP | SHM_EXEC | 0x10);
  FAIL(SYS_shmdt, 0x1000);
#endif
  long segment = OBJECT(struct shmid_ds, .shm_segsz = 8192, .shm_nattch = 2, .shm_perm = {.mode = 0600, .uid = 5});
  for (int command = 0; command < 16; command++) {
    FAIL(SYS_shmctl, 9, command, segment);
    if (command != IPC_STAT) continue;
    OK(SYS_shmctl, 9, command, segment);
    OK(SYS_shmctl, 9, command, BAD - 8);
  }
}

static void other_processes(void) {
  long text = TEXT("of another"), into = room();
  long from = put((struct iovec[]){{(void *)text, 6}, {GOLDEN_BAD, 2}}, 2 * sizeof(struct iovec));
  long to = put((struct iovec[]){{(void *)into, 8}}, sizeof(struct iovec));
  FAIL(SYS_process_vm_readv, 1, to, 1, from, 2, 0);
  FAIL(SYS_process_vm_readv, 1, BAD - 4, 1, from, -1, 1);
  FAIL(SYS_process_vm_writev, 1, from, 1, to, 1, 0);
  FAIL(SYS_process_vm_writev, -1, 0, 1, 0, 1, 7);
}

int main(void) {
  answer_begin();
  mappings();
  advice();
  keys_and_nodes();
  segments();
  other_processes();
  golden_end();
  return 0;
}
