#!/usr/bin/env -S strut dtrace -qs
/*
 * The twenty conditional branches of a program's own functions that are executed most, and how often each is taken:
 * strut dtrace -qs branches.d -c './PROGRAM'
 */
instr$target:a.out:*-jcc:
{
        @all[probefunc, probename] = count();
        @taken[probefunc, probename] = sum(arg0);
}

END
{
        trunc(@all, 20);
        printf("%-40s %8s %12s %12s\n", "FUNCTION-KIND", "OFFSET", "EXECUTED", "TAKEN");
        printa("%-40s %8s %@12d %@12d\n", @all, @taken);
}
