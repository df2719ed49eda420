#!/usr/bin/env -S strut dtrace -qs
/*
 * How long TCP connections are established, by their remote address, when they close; system-wide until interrupted.
 * strut dtrace tcp-lifetimes
 */
BEGIN
{
        printf("%14s %6s  %s\n", "MS", "PORT", "REMOTE");
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
        since[args[1]->cs_cid] = timestamp;
        port[args[1]->cs_cid] = args[3]->tcps_lport;
        remote[args[1]->cs_cid] = args[3]->tcps_rport;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && since[args[1]->cs_cid]/
{
        this->us = (timestamp - since[args[1]->cs_cid]) / 1000;
        printf("%10d.%03d %6d  %s:%d\n", this->us / 1000, this->us % 1000, port[args[1]->cs_cid],
            args[3]->tcps_raddr, remote[args[1]->cs_cid]);
        since[args[1]->cs_cid] = 0;
        port[args[1]->cs_cid] = 0;
        remote[args[1]->cs_cid] = 0;
}
