#!/usr/bin/env -S strut dtrace -qs
/*
 * Signals that processes send by kill(2), tkill(2) and tgkill(2), and whether they may: system-wide, or of a command.
 * strut dtrace kill
 */
#pragma D option defaultargs

BEGIN
{
        printf("%7s %-16s %7s %6s %5s\n", "FROM", "PROGRAM", "TO", "SIGNAL", "ERROR");
}

syscall::kill:entry,
syscall::tkill:entry
/$target == 0 || progenyof($target)/
{
        self->to = arg0;
        self->signal = arg1;
        self->sends = 1;
}

syscall::tgkill:entry
/$target == 0 || progenyof($target)/
{
        self->to = arg1;
        self->signal = arg2;
        self->sends = 1;
}

syscall::kill:return,
syscall::tkill:return,
syscall::tgkill:return
/self->sends/
{
        printf("%7d %-16s %7d %6d %5d\n", pid, execname, (int)self->to, self->signal, errno);
        self->sends = 0;
}
