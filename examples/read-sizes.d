#!/usr/bin/env -S strut dtrace -qs
/*
 * How many bytes reads and writes of a command transfer, as distributions for each file:
 * strut dtrace -qs read-sizes.d -c 'cat /etc/services'
 */
syscall::read:entry,
syscall::write:entry
/progenyof($target)/
{
        self->file = fds[arg0].fi_name;
}

syscall::read:return,
syscall::write:return
/self->file != NULL && errno == 0/
{
        @[probefunc, self->file] = quantize(arg0);
        self->file = 0;
}
