#!/usr/bin/env -S strut dtrace -qs
/*
 * In which functions a command needs pages of memory that it does not have yet: the ten with most faults.
 * strut dtrace page-faults -c './PROGRAM'
 */
vminfo:::as_fault
/pid == $target/
{
        @[ufunc(uregs[R_PC])] = count();
}

END
{
        trunc(@, 10);
        printa("%@8d  %A\n", @);
}
