#!/usr/bin/env -S strut dtrace -qs
/*
 * Signals that the processes of a command send, and to which process:
 * strut dtrace -qs signals.d -c 'sh -c "sleep 9 & kill $!"'
 */
proc:::signal-send
/progenyof($target)/
{
        printf("%-16s %7d sends %2d to %d\n", execname, pid, args[2], args[1]->pr_pid);
}
