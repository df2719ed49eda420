// System V shared memory, semaphores and message queues: sysvipc(7).
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;
struct CommandTable;

extern const ConstantSet kIpcKeys;
extern const ConstantSet kShmAttachFlags;
extern const ConstantSet kQueueFlags;  ///< for msgsnd(2) and msgrcv(2)
/// For shmget(2): flags, the size of huge pages and permissions; for semget(2) and msgget(2).
extern const WordLayout kShmFlagWord, kIpcFlagWord;
inline constexpr Type kShmFlags = notation::word(kShmFlagWord), kIpcFlags = notation::word(kIpcFlagWord);
/// Operations, with IPC_64 of the C library.
extern const WordLayout kShmOperationWord, kSemOperationWord, kQueueOperationWord;
inline constexpr Type kShmOperation = notation::word(kShmOperationWord);
inline constexpr Type kSemOperation = notation::word(kSemOperationWord);
inline constexpr Type kQueueOperation = notation::word(kQueueOperationWord);
/// The type of the last argument of shmctl(2), semctl(2), msgctl(2), by operation.
extern const CommandTable kShmOperations;
extern const CommandTable kSemOperations;
extern const CommandTable kQueueOperations;
/// For calls through i386's ipc(2).
extern const CommandTable kIpcShmOperations;
extern const CommandTable kIpcQueueOperations;

extern const Type kSembuf;  ///< one operation of semop(2)
/// A pointer to {mtype, mtext}; argument 2 says how many bytes of text there are.
extern const Type kQueueMessageRead;
Value decode_queue_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kQueueMessage =
    notation::reading(notation::custom(decode_queue_message), kReadsOne<kQueueMessageRead>);

}  // namespace strut
