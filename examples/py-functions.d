#!/usr/bin/env -S strut dtrace -qs
/*
 * Which functions of a Python program are called how often: the twenty most frequent (USDT; CPython 3.11 lacks entries).
 * strut dtrace py-functions -c 'python3 PROGRAM'
 */
#pragma D option zdefs

python$target:::function-return
{
        @[basename(copyinstr(arg0)), copyinstr(arg1)] = count();
}

END
{
        trunc(@, 20);
        printf("%-32s %-28s %10s\n", "FILE", "FUNCTION", "CALLS");
        printa("%-32s %-28s %@10d\n", @);
}
