import { formatCount } from '#core/base/units.ts';
import { numberIn, settingFile, settingRemedy, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';
import { netstatCounter } from './kernelTimeWait.ts';

interface Queue {
  readonly most: number;
  readonly synMost: number | null;
  readonly overflows: number;
  readonly drops: number;
}

const MOST = 'net.core.somaxconn';
const SYN = settingFile('net.ipv4.tcp_max_syn_backlog');
const MODERN = 4_096;
/** Below this even a small burst of visitors does not fit. */
const SMALL = 512;

/** How many connections may wait to be accepted, and whether any have been turned away. */
export const listenQueue: HostCheck<Queue> = {
  id: 'listenQueue',
  about: 'Room for connections that wait to be accepted',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [showFiles(settingFile(MOST), SYN), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const shown = shownFiles(text);
    const most = numberIn(shown.get(settingFile(MOST)));
    if (most === null) return null;
    return {
      most,
      synMost: numberIn(shown.get(SYN)),
      overflows: netstatCounter(counters, 'ListenOverflows') ?? 0,
      drops: netstatCounter(counters, 'ListenDrops') ?? 0,
    };
  },
  judge({ most, synMost, overflows, drops }, { load }) {
    const burst = load?.connections ?? 0;
    const short = most < Math.max(SMALL, Math.min(burst, MODERN));
    return {
      level: short ? 'warning' : overflows > 0 ? 'info' : 'ok',
      title: `Up to ${formatCount(most)} connections may wait to be accepted`,
      evidence: `${settingFile(MOST)}: ${most}${synMost === null ? '' : `; tcp_max_syn_backlog ${synMost}`}; since its start turned away ${formatCount(overflows)}, dropped ${formatCount(drops)}`,
      matters:
        overflows > 0
          ? 'Connections have been turned away because nobody accepted them in time: visitors then wait 1, 3, 7 s before they try again. See whether the count grows during a run.'
          : `Each server asks for its own queue (backlog: nginx 511, Node 511, gunicorn 2,048), and gets at most this.${short ? ' A burst of this plan may not fit, and who does not fit waits a second or more.' : ''}`,
    };
  },
  explain:
    'The smaller of the two counts: what the program asked for when it began to listen, and this setting. A change is only seen by programs that are started after it.',
  remedy: ({ most }) =>
    settingRemedy(
      MOST,
      String(most),
      String(MODERN),
      'Allow longer queues, then start the server again with a longer backlog.',
      'None known; longer queues mean longer waits instead of refusals.',
    ),
};

interface Cookies {
  readonly value: number;
  readonly sent: number;
}

const COOKIES = 'net.ipv4.tcp_syncookies';

export const synCookies: HostCheck<Cookies> = {
  id: 'synCookies',
  about: 'SYN cookies',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [showFiles(settingFile(COOKIES)), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const value = numberIn(shownFiles(text).get(settingFile(COOKIES)));
    return value === null ? null : { value, sent: netstatCounter(counters, 'SyncookiesSent') ?? 0 };
  },
  judge: ({ value, sent }) => ({
    level: value === 0 ? 'info' : 'ok',
    title: value === 0 ? 'SYN cookies are off' : 'SYN cookies are on',
    evidence: `${settingFile(COOKIES)}: ${value}; sent since its start: ${formatCount(sent)}`,
    matters:
      value === 0
        ? 'When more connections arrive than wait to be accepted, the rest is dropped.'
        : sent > 0
          ? 'They were needed: more connections arrived at once than could wait. Connections made so lack options, such as window scaling, when time stamps are off.'
          : 'A load that opens many connections at once looks like an attack; with cookies they are taken all the same.',
  }),
  explain:
    'With cookies the kernel remembers nothing of a half-open connection. They begin when the queue is full, so a count that grows during a run means a queue that is too short.',
};
