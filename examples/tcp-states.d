#!/usr/bin/env -S strut dtrace -qs
/*
 * Changes of TCP connections' states, system-wide, until interrupted.
 * Needs kassist (root): strut dtrace -qs tcp-states.d
 */
tcp:::state-change
{
        printf("%5d -> %-5d  %-20s -> %s\n", args[3]->tcps_lport, args[3]->tcps_rport,
            tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
}
