import { formatCount, formatMs, formatNumber, formatPercent } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { silentWords } from '#core/result/silentWords.ts';
import { textTable } from './textTable.ts';

/** What each of several servers did, for a terminal; nothing where one does all the work. */
export function textServers({ servers }: Pick<RunResult, 'servers'>, width?: number): string[] {
  if (servers.length === 0) return [];
  const away = servers.flatMap((server) =>
    server.silent.length === 0
      ? []
      : [
          `  ${server.name} ${silentWords(server)} from second ${server.silent.map(({ fromSecond, toSecond }) => `${formatNumber(fromSecond)} to ${formatNumber(toSecond)}`).join(', ')}.`,
        ],
  );
  return [
    'What each of several servers did, warm-up included',
    ...textTable({
      columns: ['answers', 'share', 'failed', 'unanswered', 'tried in vain', 'mean time'],
      rows: servers.map(({ name, answered, share, failed, unanswered, tried, meanMs }) => [
        name,
        formatCount(answered),
        formatPercent(share),
        formatCount(failed),
        formatCount(unanswered),
        formatCount(tried),
        meanMs === null ? '–' : formatMs(meanMs),
      ]),
      width,
    }),
    ...away,
  ];
}
