#!/usr/bin/env -S strut dtrace -qs
/*
 * How often a command or process makes each system call, and how long it is in them: the longest last.
 * strut dtrace procsystime -c 'ls /usr'
 */
syscall:::entry
/progenyof($target)/
{
        self->began = timestamp;
}

syscall:::return
/self->began/
{
        @ns[probefunc] = sum(timestamp - self->began);
        @calls[probefunc] = count();
        @all_ns = sum(timestamp - self->began);
        @all_calls = count();
        self->began = 0;
}

END
{
        printf("%-24s %16s %10s\n", "CALL", "NS", "COUNT");
        printa("%-24s %@16d %@10d\n", @ns, @calls);
        printf("%-24s ", "TOTAL:");
        printa("%@16d %@10d\n", @all_ns, @all_calls);
}
