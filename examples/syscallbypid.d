#!/usr/bin/env -S strut dtrace -qs
/*
 * How often each process makes each system call: of a command or process, else system-wide until interrupted.
 * strut dtrace syscallbypid -c 'sh -c "ls; ls /etc" >/dev/null'
 */
#pragma D option defaultargs

syscall:::entry
/$target == 0 || progenyof($target)/
{
        @[pid, execname, probefunc] = count();
}

END
{
        printf("%7s %-16s %-24s %8s\n", "PID", "PROGRAM", "CALL", "COUNT");
        printa("%7d %-16s %-24s %@8d\n", @);
}
