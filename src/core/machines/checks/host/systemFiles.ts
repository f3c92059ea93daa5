import { formatCount } from '#core/base/units.ts';
import { settingRemedy, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';

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
        ? 'Each connection is an open file: with this plan the system may refuse to open any more, for every program.'
        : 'There is room for this plan.',
    };
  },
  explain: 'Beside the limit of each process there is one of the whole system. Beyond it nothing can be opened, by nobody (ENFILE).',
  remedy: ({ used, most }, { load }) =>
    settingRemedy(
      'fs.file-max',
      String(most),
      String(Math.max(2 * most, 2 * (used + (load?.connections ?? 0)))),
      'Allow more open files.',
      'Each takes about a kilobyte of memory when it is used.',
    ),
};
