#!/usr/bin/env -S strut dtrace -qs
/*
 * TCP connections as they are made and refused, system-wide, until interrupted.
 * Needs kassist (root): strut dtrace -qs connections.d
 */
tcp:::connect-established,
tcp:::connect-refused,
tcp:::accept-established
{
        printf("%-20s %s:%d - %s:%d\n", probename, args[3]->tcps_laddr, args[3]->tcps_lport,
            args[3]->tcps_raddr, args[3]->tcps_rport);
}
