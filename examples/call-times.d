#!/usr/bin/env -S strut dtrace -qs
/*
 * How long the system calls of a command take, as distributions of nanoseconds:
 * strut dtrace -qs call-times.d -c 'find /usr/share/doc'
 */
syscall:::entry
/pid == $target/
{
        self->began = timestamp;
}

syscall:::return
/self->began/
{
        @[probefunc] = quantize(timestamp - self->began);
        self->began = 0;
}
