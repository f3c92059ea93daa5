import { counted, ONLY_LINUX, type Check } from './check.ts';
import { parsePortRange } from './ephemeralPorts.ts';
import { procFile } from './procFile.ts';

interface TimeWait {
  readonly sockets: number;
  readonly ports: number | null;
}

const NOTICEABLE_SHARE = 0.25;

/** Reads `tw` of /proc/net/sockstat; see proc(5). */
export function parseTimeWaitCount(text: string): number | null {
  const match = /^TCP:.*\btw (\d+)/m.exec(text);
  return match ? Number(match[1]) : null;
}

export const timeWait: Check<TimeWait> = {
  id: 'timeWait',
  about: 'Connections that are still closing (TIME_WAIT)',
  async probe() {
    const sockets = parseTimeWaitCount((await procFile('/proc/net/sockstat')) ?? '');
    if (sockets === null) return ONLY_LINUX;
    const range = parsePortRange((await procFile('/proc/sys/net/ipv4/ip_local_port_range')) ?? '');
    return { sockets, ports: range && range.to - range.from + 1 };
  },
  judge({ sockets, ports }) {
    const many = ports !== null && sockets > ports * NOTICEABLE_SHARE;
    return {
      level: many ? 'warning' : 'ok',
      title: sockets === 1 ? '1 connection in TIME_WAIT now' : `${counted.format(sockets)} connections in TIME_WAIT now`,
      evidence: `/proc/net/sockstat: tw ${sockets}`,
      matters: many
        ? 'Each holds a port for up to a minute; with so many of them this run may run out of ports, and an earlier run would disturb it.'
        : 'Each holds a port for up to a minute. So few do not disturb.',
      remedy: many ? { text: 'Wait a minute before you start.', command: null, undo: null, risk: '' } : null,
    };
  },
};
