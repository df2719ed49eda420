// Commands of ioctl(2) on KVM, answered without being run.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/kvm.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// A structure ends where memory ends, so that no byte behind it can be read; the last one lacks a byte.
#define ASK(command, type, ...) \
  BOTH(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type)))
#define SHORT(command, type) BOTH(SYS_ioctl, -1, command, (long)golden_at_end(&(type){0}, sizeof(type)) + 1)

static void machines(void) {
  BOTH(SYS_ioctl, -1, KVM_GET_API_VERSION, 0);
  BOTH(SYS_ioctl, -1, KVM_GET_VCPU_MMAP_SIZE, 0);
  BOTH(SYS_ioctl, -1, KVM_RUN, 0);
  BOTH(SYS_ioctl, -1, KVM_CREATE_VM, 0);
  BOTH(SYS_ioctl, -1, KVM_CREATE_VM, 0x1234);
  BOTH(SYS_ioctl, -1, KVM_CREATE_VCPU, 3);
  BOTH(SYS_ioctl, -1, KVM_CREATE_VCPU, -1);
  static const int kExtensions[] = {0, 3, 18, 71, 100, 166, 188, 211, 219, 9999};
  for (int i = 0; i < 10; i++) BOTH(SYS_ioctl, -1, KVM_CHECK_EXTENSION, kExtensions[i]);
  ASK(KVM_SET_USER_MEMORY_REGION, struct kvm_userspace_memory_region, 1, 3, 0x1000, 4096, 0x7000);
  ASK(KVM_SET_USER_MEMORY_REGION, struct kvm_userspace_memory_region, 0x12345, 0, 0, 0, 0);
  ASK(KVM_SET_USER_MEMORY_REGION, struct kvm_userspace_memory_region, ~0u, 0xfffffff0, ~0ull, ~0ull, ~0ull);
  SHORT(KVM_SET_USER_MEMORY_REGION, struct kvm_userspace_memory_region);
}

static void registers(void) {
  static const unsigned long kGeneral[] = {KVM_GET_REGS, KVM_SET_REGS}, kSpecial[] = {KVM_GET_SREGS, KVM_SET_SREGS};
  for (int i = 0; i < 2; i++) {
    ASK(kGeneral[i], struct kvm_regs, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ~0ull, 17, 0x246);
    ASK(kGeneral[i], struct kvm_regs, 0);
    SHORT(kGeneral[i], struct kvm_regs);
    ASK(kSpecial[i], struct kvm_sregs, {0xffff0000, 0xffff, 0xf000, 11, 1, 2, 3, 4, 5, 6, 7, 1, 9}, {1, 2, 3}, {4},
        .tr = {5}, .gdt = {6, 7, {8, 9, 10}}, .idt = {~0ull, 0xffff, {1}}, .cr0 = 11, .cr2 = 12, .cr3 = 13, .cr4 = 14,
        .cr8 = 15, .efer = 16, .apic_base = 0xfee00900, .interrupt_bitmap = {17, 18, 19, 0});
    ASK(kSpecial[i], struct kvm_sregs, {0});
    SHORT(kSpecial[i], struct kvm_sregs);
  }
}

struct identities {
  struct kvm_cpuid2 head;
  struct kvm_cpuid_entry2 entries[3];
};
#define ENTRIES {{1, 2, 1, 4, 5, 6, 7, {8}}, {0x40000000, 0, 0, ~0u, 1, 2, 3}, {0, 0, 6, 0, 0, 0, 0}}
static void identities(void) {
  static const unsigned long kCommands[] = {KVM_SET_CPUID2, KVM_GET_SUPPORTED_CPUID, KVM_GET_EMULATED_CPUID};
  for (int i = 0; i < 3; i++) {
    ASK(kCommands[i], struct kvm_cpuid2, 0, 0);
    ASK(kCommands[i], struct kvm_cpuid2, 2, 7);
    ASK(kCommands[i], struct identities, {3, 0}, ENTRIES);
    ASK(kCommands[i], struct identities, {2, 1}, ENTRIES);
    ASK(kCommands[i], struct identities, {40, 1}, ENTRIES);
    SHORT(kCommands[i], struct kvm_cpuid2);
  }
}

int main(void) {
  answer_begin();
  machines();
  registers();
  identities();
  golden_end();
  return 0;
}
