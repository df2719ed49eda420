#!/usr/bin/env -S strut dtrace -qs
/*
 * Which functions of a command ask for how much memory, the largest ten:
 * strut dtrace -qs allocations.d -c 'git --version'
 */
pid$target:libc.so.6:malloc:entry
{
        @bytes[ufunc(ucaller)] = sum(arg0);
}

END
{
        trunc(@bytes, 10);
        printa("%12@u  %A\n", @bytes);
}
