#!/usr/bin/env -S strut dtrace -qs
/*
 * Memory of malloc(3) that a command has not freed when it ends, by the function that asked for it: the ten largest.
 * strut dtrace leaks -c './PROGRAM'
 */
pid$target:libc.so.6:malloc:entry
{
        self->bytes = arg0;
        self->caller = ucaller;
}

pid$target:libc.so.6:malloc:return
/self->bytes && arg1/
{
        bytes[arg1] = self->bytes;
        by[arg1] = self->caller;
        @[ufunc(self->caller)] = sum(self->bytes);
        self->bytes = 0;
}

pid$target:libc.so.6:free:entry
/bytes[arg0]/
{
        @[ufunc(by[arg0])] = sum(-bytes[arg0]);
        bytes[arg0] = 0;
        by[arg0] = 0;
}

END
{
        trunc(@, 10);
        printf("%12s  %s\n", "BYTES", "FUNCTION");
        printa("%@12d  %A\n", @);
}
