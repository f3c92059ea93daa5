import { formatCount } from '#core/base/units.ts';
import { numberIn, settingFile, settingRemedy, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';
import { TIME_WAIT_SECONDS } from './portStall.ts';

const REUSE = 'net.ipv4.tcp_tw_reuse';
const RECYCLE = 'net.ipv4.tcp_tw_recycle';
const FIN = 'net.ipv4.tcp_fin_timeout';
const BUCKETS = 'net.ipv4.tcp_max_tw_buckets';

const MEANING: Readonly<Record<number, string>> = {
  0: 'A port is reused only after the full 60 s.',
  1: 'A port is reused for the same server after one second if both sides send timestamps.',
  2: 'As 1, but only for loopback connections. To other machines, a port is reused only after the full 60 s. The default since Linux 4.19.',
};

export const timeWaitReuse: HostCheck<number> = {
  id: 'timeWaitReuse',
  about: 'Reuse of ports in TIME_WAIT (tcp_tw_reuse)',
  probe: [showFiles(settingFile(REUSE))],
  read: ([text = '']) => numberIn(shownFiles(text).get(settingFile(REUSE))),
  judge: (value) => ({
    level: 'ok',
    title: `tcp_tw_reuse is ${value}`,
    evidence: `${settingFile(REUSE)}: ${value}`,
    matters: MEANING[value] ?? 'The meaning of this value is unknown.',
  }),
  explain: 'It affects only the connecting side. It has no effect on a server that accepts connections.',
};

/** Removed from Linux 4.12, because it broke clients behind NAT. Never recommended. */
export const timeWaitRecycle: HostCheck<number | 'gone'> = {
  id: 'timeWaitRecycle',
  about: 'tcp_tw_recycle',
  probe: [`uname -s; ${showFiles(settingFile(RECYCLE))}`],
  read: ([text = '']) => (text.startsWith('Linux') ? (numberIn(shownFiles(text).get(settingFile(RECYCLE))) ?? 'gone') : null),
  judge: (value) => {
    const evidence = value === 'gone' ? 'The kernel has no such setting since 4.12.' : `${settingFile(RECYCLE)}: ${value}`;
    if (value === 'gone' || value === 0)
      return {
        level: 'ok',
        title: value === 'gone' ? 'tcp_tw_recycle no longer exists' : 'tcp_tw_recycle is off',
        evidence,
        matters: 'Old guides recommend it. It should stay off.',
      };
    return {
      level: 'problem',
      title: 'tcp_tw_recycle is on',
      evidence,
      matters:
        'Connections of users behind one address (an office, a mobile network) are dropped silently. The more users, the more drops.',
    };
  },
  explain: 'It treats the timestamps of all machines behind one address as those of one machine. It solves no problem.',
  remedy: (value) => (value === 'gone' ? null : settingRemedy(RECYCLE, String(value), '0', 'Disable it.', 'None.')),
};

const USUAL_FIN_SECONDS = 60;

export const finTimeout: HostCheck<number> = {
  id: 'finTimeout',
  about: 'tcp_fin_timeout',
  probe: [showFiles(settingFile(FIN))],
  read: ([text = '']) => numberIn(shownFiles(text).get(settingFile(FIN))),
  judge: (seconds) => ({
    level: seconds === USUAL_FIN_SECONDS ? 'ok' : 'info',
    title: `tcp_fin_timeout is ${seconds} s`,
    evidence: `${settingFile(FIN)}: ${seconds}`,
    matters: `TIME_WAIT still lasts ${TIME_WAIT_SECONDS} s${seconds === USUAL_FIN_SECONDS ? '' : '. The changed value does not free ports sooner'}.`,
  }),
  explain:
    'It limits FIN_WAIT_2: how long a connection without a program waits for the other side to close. It does not shorten TIME_WAIT, whose 60 s are fixed in the kernel.',
};

interface Buckets {
  readonly most: number;
  readonly overflows: number;
}

export const timeWaitBuckets: HostCheck<Buckets> = {
  id: 'timeWaitBuckets',
  about: 'Capacity for connections in TIME_WAIT',
  probe: [showFiles(settingFile(BUCKETS)), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const most = numberIn(shownFiles(text).get(settingFile(BUCKETS)));
    return most === null ? null : { most, overflows: netstatCounter(counters, 'TCPTimeWaitOverflow') ?? 0 };
  },
  judge({ most, overflows }, { load }) {
    const rate = load === null || load.keepsConnections ? null : load.requestsPerSecond;
    const wanted = rate === null ? 0 : Math.ceil(rate * TIME_WAIT_SECONDS);
    const short = wanted > most;
    return {
      level: short || overflows > 0 ? 'warning' : 'ok',
      title: `Up to ${formatCount(most)} connections in TIME_WAIT`,
      evidence: `${settingFile(BUCKETS)}: ${most}; closed early so far for lack of room: ${formatCount(overflows)}`,
      matters: short
        ? `This plan can cause up to ${formatCount(wanted)}. Beyond the limit, connections skip TIME_WAIT, and late packets may disturb later connections.`
        : 'Beyond it, connections skip TIME_WAIT.',
    };
  },
  explain: 'The limit protects against attacks. Lowering it to avoid TIME_WAIT removes the protection that TIME_WAIT gives.',
  remedy: ({ most }) => settingRemedy(BUCKETS, String(most), String(most * 4), 'Allow more.', 'Up to 250 bytes of memory each.'),
};

/** Returns a counter of Linux' /proc/net/netstat (a line of names above a line of values), or null if it is missing. */
export function netstatCounter(text: string, name: string): number | null {
  const lines = text.split('\n');
  for (let index = 0; index + 1 < lines.length; index += 1) {
    const names = lines[index]?.split(' ') ?? [];
    const values = lines[index + 1]?.split(' ') ?? [];
    const at = names.indexOf(name);
    if (at > 0 && names[0] === values[0]) return numberIn(values[at]);
  }
  return null;
}
