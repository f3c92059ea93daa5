import { formatCount } from '#core/base/units.ts';
import { numberIn, settingFile, settingRemedy, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';
import { TIME_WAIT_SECONDS } from './portStall.ts';

const REUSE = 'net.ipv4.tcp_tw_reuse';
const RECYCLE = 'net.ipv4.tcp_tw_recycle';
const FIN = 'net.ipv4.tcp_fin_timeout';
const BUCKETS = 'net.ipv4.tcp_max_tw_buckets';

const MEANING: Readonly<Record<number, string>> = {
  0: 'A port waits for the whole 60 s before it is taken again.',
  1: 'A port that has waited for a second is taken again for the same server, where both sides send time stamps.',
  2: 'As 1, but only for connections to this machine itself (loopback): to any other a port waits for the whole 60 s. Linux comes with 2 since 4.19.',
};

export const timeWaitReuse: HostCheck<number> = {
  id: 'timeWaitReuse',
  about: 'Reuse of ports that wait (tcp_tw_reuse)',
  probe: [showFiles(settingFile(REUSE))],
  read: ([text = '']) => numberIn(shownFiles(text).get(settingFile(REUSE))),
  judge: (value) => ({
    level: 'ok',
    title: `tcp_tw_reuse is ${value}`,
    evidence: `${settingFile(REUSE)}: ${value}`,
    matters: MEANING[value] ?? 'Its meaning is not known.',
  }),
  explain: 'It matters at the end that connects, and only there: it does nothing for a server that accepts.',
};

/** Taken out of the kernel in 4.12 because it broke visitors behind one address; never suggested. */
export const timeWaitRecycle: HostCheck<number | 'gone'> = {
  id: 'timeWaitRecycle',
  about: 'tcp_tw_recycle',
  probe: [`uname -s; ${showFiles(settingFile(RECYCLE))}`],
  read: ([text = '']) => (text.startsWith('Linux') ? (numberIn(shownFiles(text).get(settingFile(RECYCLE))) ?? 'gone') : null),
  judge: (value) => {
    const evidence = value === 'gone' ? 'The kernel has no such setting (since 4.12).' : `${settingFile(RECYCLE)}: ${value}`;
    if (value === 'gone' || value === 0)
      return {
        level: 'ok',
        title: value === 'gone' ? 'tcp_tw_recycle no longer exists' : 'tcp_tw_recycle is off',
        evidence,
        matters: 'Old advice names it. It is neither needed nor wanted.',
      };
    return {
      level: 'problem',
      title: 'tcp_tw_recycle is on',
      evidence,
      matters:
        'Connections of visitors behind one address (an office, a mobile network) are dropped without a word, more the more there are.',
    };
  },
  explain: 'It took time stamps of all machines behind one address for those of one. Nothing should ever be cured with it.',
  remedy: (value) => (value === 'gone' ? null : settingRemedy(RECYCLE, String(value), '0', 'Switch it off.', 'None.')),
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
    matters: `TIME_WAIT lasts ${TIME_WAIT_SECONDS} s all the same${seconds === USUAL_FIN_SECONDS ? '' : ': if it was changed to free ports sooner, it did not'}.`,
  }),
  explain:
    'It limits FIN_WAIT_2, the wait for the other end to close as well, of connections that no program holds any more. That lowering it shortens TIME_WAIT is a myth: those 60 s are fixed in the kernel.',
};

interface Buckets {
  readonly most: number;
  readonly overflows: number;
}

export const timeWaitBuckets: HostCheck<Buckets> = {
  id: 'timeWaitBuckets',
  about: 'Room for connections in TIME_WAIT',
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
      title: `Room for ${formatCount(most)} connections in TIME_WAIT`,
      evidence: `${settingFile(BUCKETS)}: ${most}; given up so far for want of room: ${formatCount(overflows)}`,
      matters: short
        ? `This plan can bring up to ${formatCount(wanted)}. Beyond the room, connections are ended without the wait: late packets may then disturb later connections.`
        : 'Beyond it, connections are ended without the wait.',
    };
  },
  explain: 'It is a limit against attacks. Lowering it to be rid of TIME_WAIT breaks what TIME_WAIT is for.',
  remedy: ({ most }) =>
    settingRemedy(BUCKETS, String(most), String(most * 4), 'Allow more.', 'Up to a quarter of a kilobyte of memory for each.'),
};

/** A counter of Linux' /proc/net/netstat, where a line of names stands above a line of values; null where it is not there. */
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
