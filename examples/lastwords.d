#!/usr/bin/env -S strut dtrace -s
/*
 * The last system calls that a command makes before it ends, as many as fit into a buffer of 4 KiB:
 * strut dtrace -s last-calls.d -c 'COMMAND'
 */
#pragma D option quiet
#pragma D option bufpolicy=ring
#pragma D option bufsize=4k

syscall:::entry
/pid == $target/
{
        printf("%d %s(%d, %d, %d)\n", timestamp, probefunc, arg0, arg1, arg2);
}
