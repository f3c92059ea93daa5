import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exactFigure } from '../framework/figure.ts';
import { countResponses, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { DESCRIPTION, logIn, meanTime, TIME_TOLERANCE } from './contestant.ts';

export const abTable = story({
  id: 'contest/ab-table',
  statement: 'ab -n -c with the login cookie on a description page: the app prints the same table, line by line.',
  owner: 'measure',
  usualSeconds: 9,
  needs: ['ab'],
  draw: (dice) => ({ requests: dice.step(200, 300, 20), connections: dice.whole(14, 18), serviceMs: dice.step(150, 220, 10) }),
  async play(scene, { requests, connections, serviceMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': scene.hidden(serviceMs) });
    const { cookie } = await logIn(lab);
    const url = new URL(DESCRIPTION, lab.urls[0]).href;
    const args = ['-k', '-q', '-n', String(requests), '-c', String(connections), '-C', cookie, url];
    const { stdout } = await promisify(execFile)('ab', args);
    const result = await scene.run({
      targets: [{ url, cookie }],
      journey: [{ name: 'description', path: '?app' }],
      load: { model: 'connections', stages: [{ connections, requests }] },
    });
    const printedText = await scene.exported(result, 'ab');
    await lab.stop();
    const lines = await lab.lines('contest', ({ path }) => path === `${DESCRIPTION}?app`);
    const byAb = await lab.lines('contest', ({ path }) => path === DESCRIPTION);
    const [theirs, ours] = [getLayout(stdout), getLayout(printedText)];
    return [
      exactFigure('responses', requests, countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure('complete requests of the table', requests, numberIn(printedText, 'Complete requests'), lines.length),
      exactFigure('complete requests of ab', requests, numberIn(stdout, 'Complete requests'), byAb.length),
      exactFigure('lines unlike those of ab', 0, countUnlike(theirs, ours) + Math.abs(theirs.length - ours.length), null),
      meanTime(serviceMs, result, lines),
      {
        name: 'mean time by the table',
        unit: 'ms',
        predicted: serviceMs,
        measured: numberIn(printedText, 'Time per request'),
        logged: numberIn(stdout, 'Time per request'),
        within: 2 * TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});

/** Returns the layout of ab's table: every number is replaced by a placeholder, with its leading spaces, and ab's remarks are removed. */
function getLayout(table: string): string[] {
  return table
    .slice(table.indexOf('Server Software:'))
    .split('\n')
    .filter((line) => !/^(WARNING|ERROR|\s+These results)/.test(line))
    .map((line) =>
      line
        .replace(/^((?:Server|Document)[^:]*:\s*).*/, '$1…')
        .replaceAll(/\s*\d[\d.]*/g, ' #')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd()
    .split('\n');
}

function countUnlike(theirs: readonly string[], ours: readonly string[]): number {
  return theirs.filter((line, index) => !isLike(line, ours[index] ?? '')).length;
}

/** Returns whether two rows agree. If connecting took considerable time, the app says that one row is unknown. */
function isLike(theirs: string, ours: string): boolean {
  return theirs === ours || (ours.includes('unknown') && theirs.split(':')[0] === ours.split(':')[0]);
}

function numberIn(table: string, label: string): number {
  return Number(new RegExp(`^${label}:\\s*([\\d.]+)`, 'm').exec(table)?.[1] ?? NaN);
}
