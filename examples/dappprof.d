#!/usr/bin/env -S strut dtrace -qs
/*
 * How often a program's own functions are called, and how much CPU time passes in them and in what they call.
 * strut dtrace dappprof -c './PROGRAM'
 */
pid$target:a.out::entry
{
        self->depth++;
        self->began[self->depth] = vtimestamp;
        @calls[probefunc] = count();
}

pid$target:a.out::return
/self->depth && self->began[self->depth]/
{
        @ns[probefunc] = sum(vtimestamp - self->began[self->depth]);
        self->began[self->depth] = 0;
        self->depth--;
}

END
{
        printf("%-40s %14s %10s\n", "FUNCTION", "CPU NS", "CALLS");
        printa("%-40s %@14d %@10d\n", @ns, @calls);
}
