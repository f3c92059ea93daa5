import type { SeriesResult } from '#core/series/result.ts';
import { exactly, same } from '../framework/figure.ts';
import { oneStep, withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const [MANY, FEW] = [30, 10];
const [SHORT, LONG] = [20, 600];

export const matrix = story({
  id: 'school-site/matrix',
  statement: 'Users by requests: cells that are a value, refused because there are more users than requests, or broken off after so many.',
  owner: 'measure',
  usualSeconds: 26,
  needs: ['nginx'],
  draw: (dice) => ({ dropAt: dice.whole(1_050, 1_080), serviceMs: dice.step(160, 200, 10) }),
  async play(scene, { dropAt, serviceMs }) {
    const lab = await scene.lab('school-site', {
      cache: 'off',
      workers: MANY,
      'service-ms': serviceMs,
      'drop-one-in': scene.hidden(dropAt),
    });
    const table = await scene.series(
      {
        ...oneStep(lab.urls[0] ?? '', '/'),
        load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
        // A single error stops the run, as in the tool that broke off.
        safety: { stopAtErrorShare: 0.000_1, errorWindowSeconds: 5 },
      },
      { connections: [MANY, FEW], requests: [SHORT, LONG] },
    );
    const lines = await lab.linesWhen(countSent(table), 'nginx');
    const cell = (connections: number, requests: number) =>
      table.rows.find(({ level }) => level.connections === connections && level.requests === requests);
    const is = (connections: number, requests: number, state: string): number => (cell(connections, requests)?.state === state ? 1 : 0);
    const last = cell(FEW, LONG)?.runs[0]?.figures;
    // Number of requests in the cells before it, without errors.
    const before = LONG + SHORT;
    const good = lines.findIndex(({ status }) => status === 502) - before;
    return [
      same('requests of all cells', countSent(table), lines.length),
      exactly('cells that are a value', 2, is(MANY, LONG, 'value') + is(FEW, SHORT, 'value'), null),
      exactly('refused', 1, is(MANY, SHORT, 'refused'), null),
      exactly('broken off', 1, is(FEW, LONG, 'aborted'), null),
      exactly('lost responses', 1, (last?.sent ?? NaN) - (last?.ok ?? NaN), withStatus(lines, 502)),
      {
        name: 'kept of the cell that was broken off',
        unit: '',
        // The stop takes up to a second and a half, in which a few more responses arrive.
        predicted: dropAt - before + (0.75 * FEW) / (serviceMs / 1_000),
        measured: last?.ok ?? null,
        logged: lines.length - before - withStatus(lines, 502),
        within: (1 * FEW) / (serviceMs / 1_000),
        agreeWithin: FEW,
      },
      { name: 'good ones before the lost one', unit: '', predicted: dropAt - before - 1, measured: good, logged: good, within: FEW },
    ];
  },
});

function countSent({ rows }: SeriesResult): number {
  return rows.flatMap(({ runs }) => runs).reduce((sum, { figures }) => sum + (figures?.sent ?? 0), 0);
}
