import { formatCount } from '#core/base/units.ts';
import type { HostCheck } from './hostCheck.ts';
import { OPEN_FILES_PROBE } from './ownProbes.ts';

interface Limits {
  readonly soft: number;
  readonly hard: number;
}

/** Files that a program has open beside its connections: database, logs, threads, libraries. */
const OWN_FILES = 200;

export const openFiles: HostCheck<Limits> = {
  id: 'openFiles',
  about: 'Open files of a process',
  probe: [OPEN_FILES_PROBE],
  read([text = '']) {
    const [soft, hard] = text
      .trim()
      .split('\n')
      .map((line) => (line === 'unlimited' ? Infinity : Number(line)));
    return soft === undefined || hard === undefined || Number.isNaN(soft + hard) || soft === 0 ? null : { soft, hard };
  },
  judge({ soft, hard }, { role, load }) {
    const needed = (load?.connections ?? 0) + OWN_FILES;
    const enough = soft >= needed;
    const evidence = `ulimit -n: soft ${soft}, hard ${hard}`;
    const title = `${Number.isFinite(soft) ? formatCount(soft) : 'Any number of'} open files allowed`;
    if (role !== 'generator')
      return {
        level: enough ? 'ok' : 'info',
        title,
        evidence: `${evidence} (of the user that was asked; a service may have another limit)`,
        matters: `Each connection is an open file for every server it goes through; a proxy has two of them. This plan opens up to ${formatCount(load?.connections ?? null)}.`,
      };
    return {
      level: enough ? 'ok' : 'problem',
      title,
      evidence,
      matters: enough
        ? `Each connection is an open file; this plan needs about ${formatCount(needed)}.`
        : `Each connection is an open file. This plan needs about ${formatCount(needed)}, so ${formatCount(needed - soft)} of its connections could not be opened.`,
    };
  },
  explain:
    'The limit belongs to a process and comes from whoever started it. Services get theirs from their unit (LimitNOFILE of systemd) or their own settings (worker_rlimit_nofile of nginx).',
  remedy({ hard }, { load }) {
    const needed = (load?.connections ?? 0) + OWN_FILES;
    return {
      text: 'Allow more in the terminal that starts Holdfast, then start it again.',
      command: `ulimit -n ${needed}`,
      undo: null,
      risk: hard >= needed ? 'None: it lasts as long as that terminal.' : 'Needs the rights of an administrator: the hard limit is lower.',
    };
  },
};
