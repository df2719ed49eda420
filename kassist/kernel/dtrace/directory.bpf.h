/* Names every function once, so that it is relocated. Never run. */
#pragma once

#define D_FUNCTIONS_1(F) F(d_clauses) F(d_clause) F(d_Stop)
#define D_FUNCTIONS_2(F)                                                                                              \
  F(d_Record) F(d_PutInteger) F(d_PutText) F(d_PutAddress) F(d_PutKernelAddress) F(d_PutUserStack) F(d_commit)        \
  F(d_Exit) F(d_outside_word) F(d_outside_text) F(d_power_bucket) F(d_square) F(d_Speculation) F(d_Random)            \
  F(d_Raise) F(d_Chill) F(d_fire) F(d_builtin_CallAbi) F(d_builtin_Caller) F(d_builtin_Cpu) F(d_builtin_Curthread)    \
  F(d_builtin_Cwd) F(d_builtin_Errno) F(d_builtin_Epid) F(d_builtin_Execargs) F(d_builtin_Execname) F(d_builtin_Gid)  \
  F(d_builtin_Id) F(d_builtin_Ipl) F(d_builtin_Pid) F(d_builtin_Ppid) F(d_builtin_Probefunc) F(d_builtin_Probemod)    \
  F(d_builtin_Probename) F(d_builtin_Probeprov) F(d_builtin_Root) F(d_builtin_Tid) F(d_builtin_Timestamp)             \
  F(d_builtin_Ucaller) F(d_builtin_Uid) F(d_builtin_Vtimestamp) F(d_builtin_Walltimestamp) F(d_builtin_Zonename)      \
  F(d_builtin_Stackdepth) F(d_PutKernelStack) F(d_outside_kernel_stack) F(d_new_element)
#define D_FUNCTIONS_3(F)                                                                                              \
  F(d_TextLength) F(d_TextBasename) F(d_TextDirname) F(d_TextCleanPath) F(d_TextLower) F(d_TextUpper)                 \
  F(d_TextTokenNext) F(d_UserRegister) F(d_Speculate) F(d_EndSpeculation) F(d_IsProgeny) F(d_Allocate) F(d_PutBytes)  \
  F(d_KeyText) F(d_stack_argument) F(d_TypedArgumentText) F(d_SiteArgument)               \
  F(d_ProgramVariable)
#define D_FUNCTIONS_4(F)                                                                                              \
  F(d_TextCompare) F(d_TextJoin) F(d_TextByte) F(d_TextFromInteger) F(d_TextToInteger) F(d_TextFind)                  \
  F(d_TextFindLast) F(d_TextFindText) F(d_TextToken) F(d_TextInet) F(d_TextLink) F(d_CopyIn) F(d_CopyInTo)            \
  F(d_CopyInText) F(d_KeyBytes) F(d_outside_bytes) F(d_ScratchText) F(d_ScratchStore) F(d_ScratchCopy)                \
  F(d_Load) F(d_Store) F(d_DivideSigned)                                                                              \
  F(d_DivideUnsigned) F(d_ModuloSigned) F(d_ModuloUnsigned) F(d_faulted) F(d_CopyOut) F(d_CopyOutText)                \
  F(d_member_ProcessPid) F(d_member_ProcessParent) F(d_member_ProcessGroup) F(d_member_ProcessSession)                \
  F(d_member_ProcessUid) F(d_member_ProcessEuid) F(d_member_ProcessGid) F(d_member_ProcessEgid)                       \
  F(d_member_ProcessThreads) F(d_member_ProcessName) F(d_member_ProcessArguments) F(d_member_ThreadId)                \
  F(d_member_ThreadPriority) F(d_member_ThreadNice) F(d_member_ThreadCpu) F(d_member_ThreadName)                      \
  F(d_member_FileOffset) F(d_member_FileFlags) F(d_member_FileName) F(d_member_FileFolder) F(d_member_FilePath)       \
  F(d_member_FileSystem) F(d_member_FileMount) F(d_member_ProcessStart) F(d_member_ThreadSyscall)
#define D_FUNCTIONS_5(F)                                                                                              \
  F(d_CopyInPart) F(d_TextPart) F(d_TextIndex) F(d_TextIndexLast) F(d_linear_bucket) F(d_log_bucket)                  \
  F(d_take_outside)

/* Stands in for a clause: code made of one has its type. */
__noinline int d_clause(struct d_run *run) {
  if (!run) return 0;
  return run->clause;
}

SEC("dlang/directory")
int d_directory(void *ctx) {
  struct d_run *run = claim_run();
  if (!run) return 0;
  __u64 x = run->value;
  int sum = touch_page_sleeping(x) + wait_for_place(x);
#define D_CALL_1(f) sum += f(run);
#define D_CALL_2(f) sum += f(run, x);
#define D_CALL_3(f) sum += f(run, x, x);
#define D_CALL_4(f) sum += f(run, x, x, x);
#define D_CALL_5(f) sum += f(run, x, x, x, x);
  D_FUNCTIONS_1(D_CALL_1)
  D_FUNCTIONS_2(D_CALL_2)
  D_FUNCTIONS_3(D_CALL_3)
  D_FUNCTIONS_4(D_CALL_4)
  D_FUNCTIONS_5(D_CALL_5)
  return sum;
}
