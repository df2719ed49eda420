#include "syscalls/types/ioctl/ioctl_kvm.hpp"

#include <linux/kvm.h>

#include <array>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kExtensionNames[] = {
    {0, "KVM_CAP_IRQCHIP"},
    {1, "KVM_CAP_HLT"},
    {2, "KVM_CAP_MMU_SHADOW_CACHE_CONTROL"},
    {3, "KVM_CAP_USER_MEMORY"},
    {4, "KVM_CAP_SET_TSS_ADDR"},
    {6, "KVM_CAP_VAPIC"},
    {7, "KVM_CAP_EXT_CPUID"},
    {8, "KVM_CAP_CLOCKSOURCE"},
    {9, "KVM_CAP_NR_VCPUS"},
    {10, "KVM_CAP_NR_MEMSLOTS"},
    {11, "KVM_CAP_PIT"},
    {12, "KVM_CAP_NOP_IO_DELAY"},
    {13, "KVM_CAP_PV_MMU"},
    {14, "KVM_CAP_MP_STATE"},
    {15, "KVM_CAP_COALESCED_MMIO"},
    {16, "KVM_CAP_SYNC_MMU"},
    {18, "KVM_CAP_IOMMU"},
    {21, "KVM_CAP_DESTROY_MEMORY_REGION_WORKS"},
    {22, "KVM_CAP_USER_NMI"},
    {23, "KVM_CAP_SET_GUEST_DEBUG"},
    {24, "KVM_CAP_REINJECT_CONTROL"},
    {25, "KVM_CAP_IRQ_ROUTING"},
    {26, "KVM_CAP_IRQ_INJECT_STATUS"},
    {29, "KVM_CAP_ASSIGN_DEV_IRQ"},
    {30, "KVM_CAP_JOIN_MEMORY_REGIONS_WORKS"},
    {31, "KVM_CAP_MCE"},
    {32, "KVM_CAP_IRQFD"},
    {33, "KVM_CAP_PIT2"},
    {34, "KVM_CAP_SET_BOOT_CPU_ID"},
    {35, "KVM_CAP_PIT_STATE2"},
    {36, "KVM_CAP_IOEVENTFD"},
    {37, "KVM_CAP_SET_IDENTITY_MAP_ADDR"},
    {38, "KVM_CAP_XEN_HVM"},
    {39, "KVM_CAP_ADJUST_CLOCK"},
    {40, "KVM_CAP_INTERNAL_ERROR_DATA"},
    {41, "KVM_CAP_VCPU_EVENTS"},
    {42, "KVM_CAP_S390_PSW"},
    {43, "KVM_CAP_PPC_SEGSTATE"},
    {44, "KVM_CAP_HYPERV"},
    {45, "KVM_CAP_HYPERV_VAPIC"},
    {46, "KVM_CAP_HYPERV_SPIN"},
    {47, "KVM_CAP_PCI_SEGMENT"},
    {48, "KVM_CAP_PPC_PAIRED_SINGLES"},
    {49, "KVM_CAP_INTR_SHADOW"},
    {50, "KVM_CAP_DEBUGREGS"},
    {51, "KVM_CAP_X86_ROBUST_SINGLESTEP"},
    {52, "KVM_CAP_PPC_OSI"},
    {53, "KVM_CAP_PPC_UNSET_IRQ"},
    {54, "KVM_CAP_ENABLE_CAP"},
    {55, "KVM_CAP_XSAVE"},
    {56, "KVM_CAP_XCRS"},
    {57, "KVM_CAP_PPC_GET_PVINFO"},
    {58, "KVM_CAP_PPC_IRQ_LEVEL"},
    {59, "KVM_CAP_ASYNC_PF"},
    {60, "KVM_CAP_TSC_CONTROL"},
    {61, "KVM_CAP_GET_TSC_KHZ"},
    {62, "KVM_CAP_PPC_BOOKE_SREGS"},
    {63, "KVM_CAP_SPAPR_TCE"},
    {64, "KVM_CAP_PPC_SMT"},
    {65, "KVM_CAP_PPC_RMA"},
    {66, "KVM_CAP_MAX_VCPUS"},
    {67, "KVM_CAP_PPC_HIOR"},
    {68, "KVM_CAP_PPC_PAPR"},
    {69, "KVM_CAP_SW_TLB"},
    {70, "KVM_CAP_ONE_REG"},
    {71, "KVM_CAP_S390_GMAP"},
    {72, "KVM_CAP_TSC_DEADLINE_TIMER"},
    {73, "KVM_CAP_S390_UCONTROL"},
    {74, "KVM_CAP_SYNC_REGS"},
    {75, "KVM_CAP_PCI_2_3"},
    {76, "KVM_CAP_KVMCLOCK_CTRL"},
    {77, "KVM_CAP_SIGNAL_MSI"},
    {78, "KVM_CAP_PPC_GET_SMMU_INFO"},
    {79, "KVM_CAP_S390_COW"},
    {80, "KVM_CAP_PPC_ALLOC_HTAB"},
    {81, "KVM_CAP_READONLY_MEM"},
    {82, "KVM_CAP_IRQFD_RESAMPLE"},
    {83, "KVM_CAP_PPC_BOOKE_WATCHDOG"},
    {84, "KVM_CAP_PPC_HTAB_FD"},
    {85, "KVM_CAP_S390_CSS_SUPPORT"},
    {86, "KVM_CAP_PPC_EPR"},
    {87, "KVM_CAP_ARM_PSCI"},
    {88, "KVM_CAP_ARM_SET_DEVICE_ADDR"},
    {89, "KVM_CAP_DEVICE_CTRL"},
    {90, "KVM_CAP_IRQ_MPIC"},
    {91, "KVM_CAP_PPC_RTAS"},
    {92, "KVM_CAP_IRQ_XICS"},
    {93, "KVM_CAP_ARM_EL1_32BIT"},
    {94, "KVM_CAP_SPAPR_MULTITCE"},
    {95, "KVM_CAP_EXT_EMUL_CPUID"},
    {96, "KVM_CAP_HYPERV_TIME"},
    {97, "KVM_CAP_IOAPIC_POLARITY_IGNORED"},
    {98, "KVM_CAP_ENABLE_CAP_VM"},
    {99, "KVM_CAP_S390_IRQCHIP"},
    {100, "KVM_CAP_IOEVENTFD_NO_LENGTH"},
    {101, "KVM_CAP_VM_ATTRIBUTES"},
    {102, "KVM_CAP_ARM_PSCI_0_2"},
    {103, "KVM_CAP_PPC_FIXUP_HCALL"},
    {104, "KVM_CAP_PPC_ENABLE_HCALL"},
    {105, "KVM_CAP_CHECK_EXTENSION_VM"},
    {106, "KVM_CAP_S390_USER_SIGP"},
    {107, "KVM_CAP_S390_VECTOR_REGISTERS"},
    {108, "KVM_CAP_S390_MEM_OP"},
    {109, "KVM_CAP_S390_USER_STSI"},
    {110, "KVM_CAP_S390_SKEYS"},
    {111, "KVM_CAP_MIPS_FPU"},
    {112, "KVM_CAP_MIPS_MSA"},
    {113, "KVM_CAP_S390_INJECT_IRQ"},
    {114, "KVM_CAP_S390_IRQ_STATE"},
    {115, "KVM_CAP_PPC_HWRNG"},
    {116, "KVM_CAP_DISABLE_QUIRKS"},
    {117, "KVM_CAP_X86_SMM"},
    {118, "KVM_CAP_MULTI_ADDRESS_SPACE"},
    {119, "KVM_CAP_GUEST_DEBUG_HW_BPS"},
    {120, "KVM_CAP_GUEST_DEBUG_HW_WPS"},
    {121, "KVM_CAP_SPLIT_IRQCHIP"},
    {122, "KVM_CAP_IOEVENTFD_ANY_LENGTH"},
    {123, "KVM_CAP_HYPERV_SYNIC"},
    {124, "KVM_CAP_S390_RI"},
    {125, "KVM_CAP_SPAPR_TCE_64"},
    {126, "KVM_CAP_ARM_PMU_V3"},
    {127, "KVM_CAP_VCPU_ATTRIBUTES"},
    {128, "KVM_CAP_MAX_VCPU_ID"},
    {129, "KVM_CAP_X2APIC_API"},
    {130, "KVM_CAP_S390_USER_INSTR0"},
    {131, "KVM_CAP_MSI_DEVID"},
    {132, "KVM_CAP_PPC_HTM"},
    {133, "KVM_CAP_SPAPR_RESIZE_HPT"},
    {134, "KVM_CAP_PPC_MMU_RADIX"},
    {135, "KVM_CAP_PPC_MMU_HASH_V3"},
    {136, "KVM_CAP_IMMEDIATE_EXIT"},
    {137, "KVM_CAP_MIPS_VZ"},
    {138, "KVM_CAP_MIPS_TE"},
    {139, "KVM_CAP_MIPS_64BIT"},
    {140, "KVM_CAP_S390_GS"},
    {141, "KVM_CAP_S390_AIS"},
    {142, "KVM_CAP_SPAPR_TCE_VFIO"},
    {143, "KVM_CAP_X86_DISABLE_EXITS"},
    {144, "KVM_CAP_ARM_USER_IRQ"},
    {145, "KVM_CAP_S390_CMMA_MIGRATION"},
    {146, "KVM_CAP_PPC_FWNMI"},
    {147, "KVM_CAP_PPC_SMT_POSSIBLE"},
    {148, "KVM_CAP_HYPERV_SYNIC2"},
    {149, "KVM_CAP_HYPERV_VP_INDEX"},
    {150, "KVM_CAP_S390_AIS_MIGRATION"},
    {151, "KVM_CAP_PPC_GET_CPU_CHAR"},
    {152, "KVM_CAP_S390_BPB"},
    {153, "KVM_CAP_GET_MSR_FEATURES"},
    {154, "KVM_CAP_HYPERV_EVENTFD"},
    {155, "KVM_CAP_HYPERV_TLBFLUSH"},
    {156, "KVM_CAP_S390_HPAGE_1M"},
    {157, "KVM_CAP_NESTED_STATE"},
    {158, "KVM_CAP_ARM_INJECT_SERROR_ESR"},
    {159, "KVM_CAP_MSR_PLATFORM_INFO"},
    {160, "KVM_CAP_PPC_NESTED_HV"},
    {161, "KVM_CAP_HYPERV_SEND_IPI"},
    {162, "KVM_CAP_COALESCED_PIO"},
    {163, "KVM_CAP_HYPERV_ENLIGHTENED_VMCS"},
    {164, "KVM_CAP_EXCEPTION_PAYLOAD"},
    {165, "KVM_CAP_ARM_VM_IPA_SIZE"},
    {166, "KVM_CAP_MANUAL_DIRTY_LOG_PROTECT"},
    {167, "KVM_CAP_HYPERV_CPUID"},
    {168, "KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2"},
    {169, "KVM_CAP_PPC_IRQ_XIVE"},
    {170, "KVM_CAP_ARM_SVE"},
    {171, "KVM_CAP_ARM_PTRAUTH_ADDRESS"},
    {172, "KVM_CAP_ARM_PTRAUTH_GENERIC"},
    {173, "KVM_CAP_PMU_EVENT_FILTER"},
    {174, "KVM_CAP_ARM_IRQ_LINE_LAYOUT_2"},
    {175, "KVM_CAP_HYPERV_DIRECT_TLBFLUSH"},
    {176, "KVM_CAP_PPC_GUEST_DEBUG_SSTEP"},
    {177, "KVM_CAP_ARM_NISV_TO_USER"},
    {178, "KVM_CAP_ARM_INJECT_EXT_DABT"},
    {179, "KVM_CAP_S390_VCPU_RESETS"},
    {180, "KVM_CAP_S390_PROTECTED"},
    {181, "KVM_CAP_PPC_SECURE_GUEST"},
    {182, "KVM_CAP_HALT_POLL"},
    {183, "KVM_CAP_ASYNC_PF_INT"},
    {184, "KVM_CAP_LAST_CPU"},
    {185, "KVM_CAP_SMALLER_MAXPHYADDR"},
    {186, "KVM_CAP_S390_DIAG318"},
    {187, "KVM_CAP_STEAL_TIME"},
    {188, "KVM_CAP_X86_USER_SPACE_MSR"},
    {189, "KVM_CAP_X86_MSR_FILTER"},
    {190, "KVM_CAP_ENFORCE_PV_FEATURE_CPUID"},
    {191, "KVM_CAP_SYS_HYPERV_CPUID"},
    {192, "KVM_CAP_DIRTY_LOG_RING"},
    {193, "KVM_CAP_X86_BUS_LOCK_EXIT"},
    {194, "KVM_CAP_PPC_DAWR1"},
    {195, "KVM_CAP_SET_GUEST_DEBUG2"},
    {196, "KVM_CAP_SGX_ATTRIBUTE"},
    {197, "KVM_CAP_VM_COPY_ENC_CONTEXT_FROM"},
    {198, "KVM_CAP_PTP_KVM"},
    {199, "KVM_CAP_HYPERV_ENFORCE_CPUID"},
    {200, "KVM_CAP_SREGS2"},
    {201, "KVM_CAP_EXIT_HYPERCALL"},
    {202, "KVM_CAP_PPC_RPT_INVALIDATE"},
    {203, "KVM_CAP_BINARY_STATS_FD"},
    {204, "KVM_CAP_EXIT_ON_EMULATION_FAILURE"},
    {205, "KVM_CAP_ARM_MTE"},
    {206, "KVM_CAP_VM_MOVE_ENC_CONTEXT_FROM"},
    {207, "KVM_CAP_VM_GPA_BITS"},
    {208, "KVM_CAP_XSAVE2"},
    {209, "KVM_CAP_SYS_ATTRIBUTES"},
    {210, "KVM_CAP_PPC_AIL_MODE_3"},
    {211, "KVM_CAP_S390_MEM_OP_EXTENSION"},
    {212, "KVM_CAP_PMU_CAPABILITY"},
    {213, "KVM_CAP_DISABLE_QUIRKS2"},
    {214, "KVM_CAP_VM_TSC_CONTROL"},
    {215, "KVM_CAP_SYSTEM_EVENT_DATA"},
    {216, "KVM_CAP_ARM_SYSTEM_SUSPEND"},
    {217, "KVM_CAP_S390_PROTECTED_DUMP"},
    {218, "KVM_CAP_X86_TRIPLE_FAULT_EVENT"},
    {219, "KVM_CAP_X86_NOTIFY_VMEXIT"},
    {220, "KVM_CAP_VM_DISABLE_NX_HUGE_PAGES"},
    {221, "KVM_CAP_S390_ZPCI_OP"},
    {222, "KVM_CAP_S390_CPU_TOPOLOGY"},
    {223, "KVM_CAP_DIRTY_LOG_RING_ACQ_REL"},
    {224, "KVM_CAP_S390_PROTECTED_ASYNC_DISABLE"},
    {225, "KVM_CAP_DIRTY_LOG_RING_WITH_BITMAP"},
    {226, "KVM_CAP_PMU_EVENT_MASKED_EVENTS"},
    {227, "KVM_CAP_COUNTER_OFFSET"},
    {228, "KVM_CAP_ARM_EAGER_SPLIT_CHUNK_SIZE"},
    {229, "KVM_CAP_ARM_SUPPORTED_BLOCK_SIZES"},
    {230, "KVM_CAP_ARM_SUPPORTED_REG_MASK_RANGES"},
    {231, "KVM_CAP_USER_MEMORY2"},
    {232, "KVM_CAP_MEMORY_FAULT_INFO"},
    {233, "KVM_CAP_MEMORY_ATTRIBUTES"},
    {234, "KVM_CAP_GUEST_MEMFD"},
    {235, "KVM_CAP_VM_TYPES"},
    {236, "KVM_CAP_PRE_FAULT_MEMORY"},
    {237, "KVM_CAP_X86_APIC_BUS_CYCLES_NS"},
    {238, "KVM_CAP_X86_GUEST_MODE"},
    {239, "KVM_CAP_ARM_WRITABLE_IMP_ID_REGS"},
    {240, "KVM_CAP_ARM_EL2"},
    {241, "KVM_CAP_ARM_EL2_E2H0"},
    {242, "KVM_CAP_RISCV_MP_STATE_RESET"},
    {243, "KVM_CAP_ARM_CACHEABLE_PFNMAP_SUPPORTED"},
    {244, "KVM_CAP_GUEST_MEMFD_FLAGS"},
    {245, "KVM_CAP_ARM_SEA_TO_USER"},
    {246, "KVM_CAP_S390_USER_OPEREXEC"},
};
constexpr Constant kRegionFlagNames[] = {
    {1, "KVM_MEM_LOG_DIRTY_PAGES"}, {2, "KVM_MEM_READONLY"}, {4, "KVM_MEM_GUEST_MEMFD"}};
constexpr Constant kIdentityFlagNames[] = {{1, "KVM_CPUID_FLAG_SIGNIFCANT_INDEX"},
                                           {2, "KVM_CPUID_FLAG_STATEFUL_FUNC"},
                                           {4, "KVM_CPUID_FLAG_STATE_READ_NEXT"}};
constinit const ConstantSet kExtensions = enumeration("KVM_CAP_???", kExtensionNames);
constinit const ConstantSet kRegionFlags = flag_set("KVM_MEM_???", kRegionFlagNames);
constinit const ConstantSet kIdentityFlags = flag_set("KVM_CPUID_FLAG_???", kIdentityFlagNames);

constexpr FieldType kKvmRegionFields[] = {
    field("slot", kUInt), field("flags", kWord<kRegionFlags>), field("guest_phys_addr", kHex64),
    field("memory_size", kU64), field("userspace_addr", kHex64),
};
constexpr StructLayout kKvmRegion = {"kvm_userspace_memory_region", kKvmRegionFields};
static_assert(size_of(kKvmRegion, Abi::X86_64) == sizeof(kvm_userspace_memory_region));

// -- registers ------------------------------------------------------------------------------------------------------
Value dots(Decoder&, uint64_t) { return Decoder::bare("..."); }
/// Stands for the registers behind it, which are shown in full only.
constexpr FieldType kDots = at(0, field("", shown_by(dots, Width::B1), unless<in_full>));
constexpr FieldType general(const char* name, uint16_t offset) { return at(offset, field(name, kHex64)); }
constexpr FieldType further(const char* name, uint16_t offset) { return at(offset, field(name, kHex64, in_full)); }
constexpr FieldType kGeneralFields[] = {
    general("rax", 0), kDots, further("rbx", 8), further("rcx", 16), further("rdx", 24), further("rsi", 32),
    further("rdi", 40), general("rsp", 48), general("rbp", 56), kDots, further("r8", 64), further("r9", 72),
    further("r10", 80), further("r11", 88), further("r12", 96), further("r13", 104), further("r14", 112),
    further("r15", 120), general("rip", 128), general("rflags", 136),
};
constexpr StructLayout kGeneral = {"kvm_regs", kGeneralFields};
constexpr FieldType kSegmentFields[] = {
    field("base", kHex64), field("limit", kUInt), field("selector", kU16), field("type", kU8), field("present", kU8),
    field("dpl", kU8), field("db", kU8), field("s", kU8), field("l", kU8), field("g", kU8), field("avl", kU8),
    padding_bytes(2),
};
constexpr StructLayout kSegmentLayout = {"kvm_segment", kSegmentFields};
constexpr Type kSegment = structure(kSegmentLayout);
constexpr FieldType kTableFields[] = {field("base", kHex64), field("limit", kU16), padding_bytes(6)};
constexpr StructLayout kTableLayout = {"kvm_dtable", kTableFields};
constexpr Type kTable = structure(kTableLayout), kInterrupts = array_of(kHex64, 4);
constexpr FieldType kSpecialFields[] = {
    field("cs", kSegment), detail("ds", kSegment), detail("es", kSegment), detail("fs", kSegment),
    detail("gs", kSegment), detail("ss", kSegment), detail("tr", kSegment), detail("ldt", kSegment),
    detail("gdt", kTable), detail("idt", kTable), detail("cr0", kU64), detail("cr2", kU64), detail("cr3", kU64),
    detail("cr4", kU64), detail("cr8", kU64), detail("efer", kU64), detail("apic_base", kHex64),
    detail("interrupt_bitmap", kInterrupts),
};
constexpr StructLayout kSpecial = {"kvm_sregs", kSpecialFields};
static_assert(size_of(kGeneral, Abi::X86_64) == sizeof(kvm_regs) &&
              size_of(kSpecial, Abi::X86_64) == sizeof(kvm_sregs));

// -- CPUID: features of a processor ----------------------------------------------------------------------------------
constexpr FieldType kIdentityFields[] = {
    field("function", kHex32), field("index", kHex32), field("flags", kWord<kIdentityFlags>), field("eax", kHex32),
    field("ebx", kHex32), field("ecx", kHex32), field("edx", kHex32), padding_bytes(12),
};
constexpr StructLayout kIdentityLayout = {"kvm_cpuid_entry2", kIdentityFields};
constexpr Type kKvmIdentity = structure(kIdentityLayout);
static_assert(size_of(kIdentityLayout, Abi::X86_64) == sizeof(kvm_cpuid_entry2));

/// struct kvm_cpuid2: a count, and as many entries, which are shown in full only.
Value decode_identities(Decoder& decoder, uint64_t at, size_t) {
  std::array<uint32_t, 2> head;  // the count, and padding
  if (!decoder.read(Addr{at}, head)) return decoder.missing(Addr{at});
  bool hidden = head[0] != 0 && !decoder.full();
  Addr entries{at + sizeof head};
  const FieldValue fields[] = {
      {"nent", Decoder::number(head[0], Show::Unsigned, 4)},
      {"entries", hidden ? Value{Array{.cut = true}, {}} : decoder.array(kKvmIdentity, entries, head[0])},
  };
  return decoder.fields(fields);
}
constexpr uint32_t kMaxIdentities = 256;  // KVM_MAX_CPUID_ENTRIES
constexpr uint32_t kKvmIdentityBytes = 8 + kMaxIdentities * sizeof(kvm_cpuid_entry2);
constexpr Type kIdentityMemory = whole_bytes(kKvmIdentityBytes, fixed(kKvmIdentityBytes));
constexpr Type kIdentities = reading(custom(decode_identities, 8, Width::B4), kIdentityMemory);

constexpr CommandRow kKvmRows[] = {
    command(0xae01, kFdResult, arg("argp", kHexLong)),             // KVM_CREATE_VM
    ioctl_takes(0xae03, named(kExtensions, Width::Long)),          // KVM_CHECK_EXTENSION
    command(0xae41, kFdResult, arg("argp", kUInt)),                // KVM_CREATE_VCPU
    ioctl_sets(0x4008ae90, kIdentities),                           // KVM_SET_CPUID2
    ioctl_sets(0x4020ae46, kStructure<kKvmRegion>),                   // KVM_SET_USER_MEMORY_REGION
    ioctl_sets(0x4090ae82, kStructure<kGeneral>),                  // KVM_SET_REGS
    ioctl_sets(0x4138ae84, kStructure<kSpecial>),                  // KVM_SET_SREGS
    ioctl_gets(0x8090ae81, kStructure<kGeneral>),                  // KVM_GET_REGS
    ioctl_gets(0x8138ae83, kStructure<kSpecial>),                  // KVM_GET_SREGS
    ioctl_gets(0xc008ae05, kIdentities),                           // KVM_GET_SUPPORTED_CPUID
    ioctl_gets(0xc008ae09, kIdentities),                           // KVM_GET_EMULATED_CPUID
};

}  // namespace

constinit const IoctlRows kKvmIoctls = {kKvmRows};

}  // namespace strut
