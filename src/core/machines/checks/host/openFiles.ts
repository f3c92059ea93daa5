import { formatCount } from '#core/base/units.ts';
import { type HostCheck, OPEN_FILES_PROBE, settingRemedy, showFiles, shownFiles } from './hostCheck.ts';

interface Limits {
  readonly soft: number;
  readonly hard: number;
}

/** Open files of a program besides its connections: database, logs, threads, libraries. */
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

const PATH = '/proc/sys/fs/file-nr';
const COMFORTABLE_SHARE = 0.8;

export const systemFiles: HostCheck<SystemFiles> = {
  id: 'systemFiles',
  about: 'Open files of the whole system',
  probe: [showFiles(PATH)],
  read([text = '']) {
    const [used, , most] = (shownFiles(text).get(PATH) ?? '').split(' ').map(Number);
    return used === undefined || most === undefined || !(most > 0) ? null : { used, most };
  },
  judge({ used, most }, { load }) {
    const needed = used + (load?.connections ?? 0);
    const short = needed > most * COMFORTABLE_SHARE;
    return {
      level: needed > most ? 'problem' : short ? 'warning' : 'ok',
      title: `${formatCount(used)} files open in the whole system`,
      evidence: most > 2 ** 53 ? `${PATH}: no limit` : `${PATH}: at most ${formatCount(most)}`,
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
