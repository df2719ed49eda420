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
Value decode_shm_flags(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kShmFlags =
    notation::custom(decode_shm_flags);  ///< for shmget(2): flags, the size of huge pages and permissions
Value decode_ipc_flags(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kIpcFlags = notation::custom(decode_ipc_flags);           ///< for semget(2) and msgget(2)

Value decode_shm_operation(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kShmOperation = notation::custom(decode_shm_operation);
Value decode_sem_operation(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSemOperation = notation::custom(decode_sem_operation);
Value decode_queue_operation(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kQueueOperation = notation::custom(decode_queue_operation);
/// The type of the last argument of shmctl(2), semctl(2), msgctl(2), by operation.
extern const CommandTable kShmOperations;
extern const CommandTable kSemOperations;
extern const CommandTable kQueueOperations;
/// For calls through i386's ipc(2).
extern const CommandTable kIpcShmOperations;
extern const CommandTable kIpcQueueOperations;

extern const Type kSembuf;  ///< one operation of semop(2)
/// Pointers to {mtype, mtext}; argument 2 says how many bytes of text there are.
extern const Type kQueueMessageRead;
Value decode_sent_queue_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kSentQueueMessage =
    notation::reading(notation::custom(decode_sent_queue_message), kReadsOne<kQueueMessageRead>);
Value decode_received_queue_message(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kReceivedQueueMessage =
    notation::reading(notation::custom(decode_received_queue_message), kReadsOne<kQueueMessageRead>);

}  // namespace strut
