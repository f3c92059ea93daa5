import { formatCount } from '#core/base/units.ts';
import { numberIn, settingFile, settingRemedy, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';
import { netstatCounter } from './kernelTimeWait.ts';

interface Queue {
  readonly most: number;
  readonly synMost: number | null;
  readonly overflows: number;
  readonly drops: number;
}

const MAX_SETTING = 'net.core.somaxconn';
const SYN = settingFile('net.ipv4.tcp_max_syn_backlog');
const MODERN = 4_096;
/** A queue below this length overflows in a small burst. */
const SMALL = 512;

/** Checks the length of the accept queue and its overflows. */
export const listenQueue: HostCheck<Queue> = {
  id: 'listenQueue',
  about: 'Queue for connections to accept',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [showFiles(settingFile(MAX_SETTING), SYN), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const shown = shownFiles(text);
    const most = numberIn(shown.get(settingFile(MAX_SETTING)));
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
      title: `Up to ${formatCount(most)} connections can wait to be accepted`,
      evidence: `${settingFile(MAX_SETTING)}: ${most}${synMost === null ? '' : `; tcp_max_syn_backlog ${synMost}`}; since boot: ${formatCount(overflows)} refused, ${formatCount(drops)} dropped`,
      matters:
        overflows > 0
          ? 'The queue has overflowed, and connections were refused. Clients then retry after 1, 3 and 7 s. Check whether the count grows during a run.'
          : `Each server requests its own queue length (backlog: nginx 511, Node 511, gunicorn 2,048) and gets at most this.${short ? ' A burst of this plan may not fit. Connections that do not fit wait a second or more.' : ''}`,
    };
  },
  explain:
    'The queue is the smaller of this setting and the length that the program requested. A change affects only programs started after it.',
  remedy: ({ most }) =>
    settingRemedy(
      MAX_SETTING,
      String(most),
      String(MODERN),
      'Allow longer queues, then restart the server with a longer backlog.',
      'None known. Longer queues mean longer waits instead of refused connections.',
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
    evidence: `${settingFile(COOKIES)}: ${value}; sent since boot: ${formatCount(sent)}`,
    matters:
      value === 0
        ? 'Connections that do not fit into the queue are dropped.'
        : sent > 0
          ? 'They were needed: more connections arrived at once than the queue holds. Without timestamps, such connections lack options such as window scaling.'
          : 'A load that opens many connections at once looks like an attack. With cookies they are still accepted.',
  }),
  explain:
    'With cookies, the kernel stores nothing for a half-open connection. They are used when the queue is full. A count that grows during a run means that the queue is too short.',
};
