#!/usr/bin/env -S strut dtrace -qs
/*
 * Conditional branches of a program's own functions, and how often each is taken and is not: the twenty greatest counts.
 * strut dtrace -qs branches.d -c './PROGRAM'
 */
instr$target:a.out:*-jcc:
{
        @[probefunc, probename, arg0 ? "taken" : "not taken"] = count();
}

END
{
        trunc(@, 20);
        printf("%-40s %8s %-10s %12s\n", "FUNCTION-KIND", "OFFSET", "OUTCOME", "COUNT");
        printa("%-40s %8s %-10s %@12d\n", @);
}
