import type { SeriesResult } from '#core/series/result.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';
import styles from './SeriesPage.module.css';

const texts = words.series;

/** Every command that was run, for which cell, how it ended and what it wrote; nothing where there were none. */
export function Commands({ rows }: Pick<SeriesResult, 'rows'>) {
  const records = rows
    .flatMap(({ runs }) => runs)
    .sort((a, b) => a.position - b.position)
    .flatMap(({ cell, repeat, commands }) => commands.map((command, index) => ({ ...command, key: `${cell} ${repeat} ${index}`, cell })));
  if (records.length === 0) return null;
  return (
    <Disclosure title={texts.commands} summary={texts.commandsSummary(formatCount(records.length))} level={2}>
      <ol className={styles.commands}>
        {records.map(({ key, cell, when, run, exitCode, seconds, output, problem }) => (
          <li key={key}>
            <p>
              {texts.commandWhen[when]} {cell} · {problem ?? texts.commandEnded(exitCode, formatMs(1_000 * seconds))}
            </p>
            <pre>{`$ ${run}\n${output === '' ? texts.noOutput : output}`}</pre>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}
