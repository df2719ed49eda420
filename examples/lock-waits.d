#!/usr/bin/env -S strut dtrace -qs
/*
 * How long threads of a command wait for locks in the kernel (futex), and from which functions:
 * strut dtrace -qs lock-waits.d -c 'COMMAND'
 */
syscall::futex:entry
/pid == $target && ((arg1 & 127) == 0 || (arg1 & 127) == 9)/
{
        self->began = timestamp;
}

syscall::futex:return
/self->began/
{
        @[ustack(4)] = sum(timestamp - self->began);
        self->began = 0;
}
