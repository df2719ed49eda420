#!/usr/bin/env -S strut dtrace -qs
/*
 * Where a command spends its CPU time, by 997 samples a second: the ten hottest functions.
 * strut dtrace -qs hot-functions.d -c 'COMMAND'
 */
profile-997
/progenyof($target) && arg1/
{
        @[ufunc(arg1)] = count();
}

END
{
        trunc(@, 10);
        printa("%@8d  %A\n", @);
}
