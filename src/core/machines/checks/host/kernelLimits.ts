import { formatCount } from '#core/base/units.ts';
import { type HostCheck, OPEN_FILES_PROBE, settingRemedy, showFiles, parseShownFiles, numberIn, settingFile } from './hostCheck.ts';
import { netstatCounter } from './timeWait.ts';
import { TIME_WAIT_SECONDS } from './portBudget.ts';

interface Limits {
  readonly soft: number;
  readonly hard: number;
}

/** Number of files that a program needs in addition to its connections: database, logs, threads, libraries. */
const PROCESS_FILES = 200;

export const openFiles: HostCheck<Limits> = {
  id: 'openFiles',
  about: 'Open files per process',
  probe: [OPEN_FILES_PROBE],
  read([text = '']) {
    const [soft, hard] = text
      .trim()
      .split('\n')
      .map((line) => (line === 'unlimited' ? Infinity : Number(line)));
    return soft === undefined || hard === undefined || Number.isNaN(soft + hard) || soft === 0 ? null : { soft, hard };
  },
  judge({ soft, hard }, { role, load }) {
    const needed = (load?.connections ?? 0) + PROCESS_FILES;
    const enough = soft >= needed;
    const evidence = `ulimit -n: soft ${soft}, hard ${hard}`;
    const title = `${Number.isFinite(soft) ? formatCount(soft) : 'Any number of'} open files allowed`;
    if (role !== 'generator')
      return {
        level: enough ? 'ok' : 'info',
        title,
        evidence: `${evidence} (of this user; a service may have another limit)`,
        matters: `Each connection is an open file on every server that it passes, and two on a proxy. This plan opens up to ${formatCount(load?.connections ?? null)}.`,
      };
    return {
      level: enough ? 'ok' : 'problem',
      title,
      evidence,
      matters: enough
        ? `Each connection is an open file. This plan needs about ${formatCount(needed)}.`
        : `Each connection is an open file. This plan needs about ${formatCount(needed)}, so ${formatCount(needed - soft)} of its connections could not be opened.`,
    };
  },
  explain:
    'A process inherits the limit from whatever started it. Services get theirs from their unit (LimitNOFILE of systemd) or their own settings (worker_rlimit_nofile of nginx).',
  remedy({ hard }, { load }) {
    const needed = (load?.connections ?? 0) + PROCESS_FILES;
    return {
      text: 'Raise the limit in the terminal that starts Holdfast, then restart Holdfast.',
      command: `ulimit -n ${needed}`,
      undo: null,
      risk: hard >= needed ? 'None. It lasts as long as that terminal.' : 'Needs administrator rights, because the hard limit is lower.',
    };
  },
};

interface SystemFiles {
  readonly used: number;
  readonly most: number;
}

const FILE_COUNT_PATH = '/proc/sys/fs/file-nr';
const MAX_COMFORTABLE_SHARE = 0.8;

export const systemFiles: HostCheck<SystemFiles> = {
  id: 'systemFiles',
  about: 'Open files of the whole system',
  probe: [showFiles(FILE_COUNT_PATH)],
  read([text = '']) {
    const [used, , most] = (parseShownFiles(text).get(FILE_COUNT_PATH) ?? '').split(' ').map(Number);
    return used === undefined || most === undefined || !(most > 0) ? null : { used, most };
  },
  judge({ used, most }, { load }) {
    const needed = used + (load?.connections ?? 0);
    const short = needed > most * MAX_COMFORTABLE_SHARE;
    return {
      level: needed > most ? 'problem' : short ? 'warning' : 'ok',
      title: `${formatCount(used)} files open in the whole system`,
      evidence: most > 2 ** 53 ? `${FILE_COUNT_PATH}: no limit` : `${FILE_COUNT_PATH}: at most ${formatCount(most)}`,
      matters: short
        ? 'Each connection is an open file. With this plan, the system may refuse to open more for any program.'
        : 'This is enough for this plan.',
    };
  },
  explain: 'Besides the limit per process there is a limit for the whole system. Beyond it, no program can open anything (ENFILE).',
  remedy: ({ used, most }, { load }) =>
    settingRemedy(
      'fs.file-max',
      String(most),
      String(Math.max(2 * most, 2 * (used + (load?.connections ?? 0)))),
      'Allow more open files.',
      'Each used one takes about 1 kB of memory.',
    ),
};

interface Queue {
  readonly most: number;
  readonly synMost: number | null;
  readonly overflows: number;
  readonly drops: number;
}

const MAX_SETTING = 'net.core.somaxconn';
const SYN_BACKLOG_FILE = settingFile('net.ipv4.tcp_max_syn_backlog');
const MODERN_BACKLOG = 4_096;
/** Length of a queue below which a small burst makes it overflow. */
const SMALL_BACKLOG = 512;

/** Checks the length of the accept queue and its overflows. */
export const listenQueue: HostCheck<Queue> = {
  id: 'listenQueue',
  about: 'Queue for connections to accept',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [showFiles(settingFile(MAX_SETTING), SYN_BACKLOG_FILE), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const shown = parseShownFiles(text);
    const maxLength = numberIn(shown.get(settingFile(MAX_SETTING)));
    if (maxLength === null) return null;
    return {
      most: maxLength,
      synMost: numberIn(shown.get(SYN_BACKLOG_FILE)),
      overflows: netstatCounter(counters, 'ListenOverflows') ?? 0,
      drops: netstatCounter(counters, 'ListenDrops') ?? 0,
    };
  },
  judge({ most, synMost, overflows, drops }, { load }) {
    const burst = load?.connections ?? 0;
    const short = most < Math.max(SMALL_BACKLOG, Math.min(burst, MODERN_BACKLOG));
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
      String(MODERN_BACKLOG),
      'Allow longer queues, then restart the server with a longer backlog.',
      'None known. Longer queues mean longer waits instead of refused connections.',
    ),
};

interface Cookies {
  readonly value: number;
  readonly sent: number;
}

const SYN_COOKIES_SETTING = 'net.ipv4.tcp_syncookies';

export const synCookies: HostCheck<Cookies> = {
  id: 'synCookies',
  about: 'SYN cookies',
  appliesTo: ({ role }) => role !== 'generator',
  probe: [showFiles(settingFile(SYN_COOKIES_SETTING)), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const value = numberIn(parseShownFiles(text).get(settingFile(SYN_COOKIES_SETTING)));
    return value === null ? null : { value, sent: netstatCounter(counters, 'SyncookiesSent') ?? 0 };
  },
  judge: ({ value, sent }) => ({
    level: value === 0 ? 'info' : 'ok',
    title: value === 0 ? 'SYN cookies are off' : 'SYN cookies are on',
    evidence: `${settingFile(SYN_COOKIES_SETTING)}: ${value}; sent since boot: ${formatCount(sent)}`,
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

interface Tracking {
  readonly count: number;
  readonly most: number;
}

const MAX_TRACKED = 'net.netfilter.nf_conntrack_max';
const TRACKED_COUNT_FILE = settingFile('net.netfilter.nf_conntrack_count');
/** Time in seconds for which the firewall keeps a closed connection (nf_conntrack_tcp_timeout_time_wait), twice as long as TCP does. */
const CLOSED_KEPT_SECONDS = 2 * TIME_WAIT_SECONDS;

/** Checks whether the connection table of a stateful firewall is nearly full. */
export const connectionTracking: HostCheck<Tracking | 'off'> = {
  id: 'connectionTracking',
  about: 'Firewall connection tracking',
  probe: [`uname -s; ${showFiles(TRACKED_COUNT_FILE, settingFile(MAX_TRACKED))}`],
  read([text = '']) {
    const shown = parseShownFiles(text);
    const [count, most] = [numberIn(shown.get(TRACKED_COUNT_FILE)), numberIn(shown.get(settingFile(MAX_TRACKED)))];
    return count === null || most === null ? (text.startsWith('Linux') ? 'off' : null) : { count, most };
  },
  judge(tracking, { load }) {
    if (tracking === 'off')
      return {
        level: 'ok',
        title: 'No connection tracking',
        evidence: 'nf_conntrack is not loaded.',
        matters: 'There is no firewall table that could fill up.',
      };
    const { count, most } = tracking;
    const rate = load === null || load.keepsConnections ? 0 : (load.requestsPerSecond ?? 0);
    const wanted = Math.ceil(count + (load?.connections ?? 0) + rate * Math.min(CLOSED_KEPT_SECONDS, load?.seconds ?? CLOSED_KEPT_SECONDS));
    const share = wanted / most;
    return {
      level: share > 1 ? 'problem' : share > MAX_COMFORTABLE_SHARE ? 'warning' : 'ok',
      title: `The firewall tracks ${formatCount(count)} of at most ${formatCount(most)} connections`,
      evidence: `${TRACKED_COUNT_FILE}: ${count}; ${MAX_TRACKED}: ${most}`,
      matters: `This plan may need ${formatCount(wanted)}. When the table is full, packets are dropped and connections hang without an error.`,
    };
  },
  explain:
    'Docker and most firewalls enable it. It keeps a closed connection for two minutes. A load without keep-alive fills the table long before ports run out. The kernel logs “table full, dropping packet”.',
  remedy: (tracking) =>
    tracking === 'off'
      ? null
      : settingRemedy(
          MAX_TRACKED,
          String(tracking.most),
          String(tracking.most * 4),
          'Enlarge the table.',
          'About 320 bytes of memory per connection.',
        ),
};
