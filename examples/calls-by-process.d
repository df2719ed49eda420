#!/usr/bin/env -S strut dtrace -qs
/*
 * How many system calls each process of a command makes, and how long it is in them:
 * strut dtrace -qs calls-by-process.d -c 'sh -c "ls; date"'
 */
syscall:::entry
/progenyof($target)/
{
        self->began = timestamp;
}

syscall:::return
/self->began/
{
        @calls[pid, execname] = count();
        @ns[pid, execname] = sum(timestamp - self->began);
        self->began = 0;
}

END
{
        printf("%8s %-16s %8s %12s\n", "PID", "PROGRAM", "CALLS", "NS");
        printa("%8d %-16s %@8d %@12d\n", @calls, @ns);
}
