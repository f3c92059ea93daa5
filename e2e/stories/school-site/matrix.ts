import type { SeriesResult } from '#core/series/result.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const [MANY_CONNECTIONS, FEW_CONNECTIONS] = [30, 10];
const [FEW_REQUESTS, MANY_REQUESTS] = [20, 600];

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
      workers: MANY_CONNECTIONS,
      'service-ms': serviceMs,
      'drop-one-in': scene.hidden(dropAt),
    });
    const table = await scene.series(
      {
        ...oneStepPlan(lab.urls[0] ?? '', '/'),
        load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
        // A single error stops the run, as with the tool that broke off.
        safety: { stopAtErrorShare: 0.000_1, errorWindowSeconds: 5 },
      },
      { connections: [MANY_CONNECTIONS, FEW_CONNECTIONS], requests: [FEW_REQUESTS, MANY_REQUESTS] },
    );
    const lines = await lab.linesWhen(countSent(table), 'nginx');
    const cell = (connections: number, requests: number) =>
      table.rows.find(({ level }) => level.connections === connections && level.requests === requests);
    const countInState = (connections: number, requests: number, state: string): number =>
      cell(connections, requests)?.state === state ? 1 : 0;
    const last = cell(FEW_CONNECTIONS, MANY_REQUESTS)?.runs[0]?.figures;
    // The number of requests in the earlier cells, which have no errors.
    const before = MANY_REQUESTS + FEW_REQUESTS;
    const good = lines.findIndex(({ status }) => status === 502) - before;
    return [
      equalFigure('requests of all cells', countSent(table), lines.length),
      exactFigure(
        'cells that are a value',
        2,
        countInState(MANY_CONNECTIONS, MANY_REQUESTS, 'value') + countInState(FEW_CONNECTIONS, FEW_REQUESTS, 'value'),
        null,
      ),
      exactFigure('refused', 1, countInState(MANY_CONNECTIONS, FEW_REQUESTS, 'refused'), null),
      exactFigure('broken off', 1, countInState(FEW_CONNECTIONS, MANY_REQUESTS, 'aborted'), null),
      exactFigure('lost responses', 1, (last?.sent ?? NaN) - (last?.ok ?? NaN), countWithStatus(lines, 502)),
      {
        name: 'kept of the cell that was broken off',
        unit: '',
        // Stopping takes up to a second and a half, during which a few more responses arrive.
        predicted: dropAt - before + (0.75 * FEW_CONNECTIONS) / (serviceMs / 1_000),
        measured: last?.ok ?? null,
        logged: lines.length - before - countWithStatus(lines, 502),
        within: (1 * FEW_CONNECTIONS) / (serviceMs / 1_000),
        agreeWithin: FEW_CONNECTIONS,
      },
      {
        name: 'good ones before the lost one',
        unit: '',
        predicted: dropAt - before - 1,
        measured: good,
        logged: good,
        within: FEW_CONNECTIONS,
      },
    ];
  },
});

function countSent({ rows }: SeriesResult): number {
  return rows.flatMap(({ runs }) => runs).reduce((sum, { figures }) => sum + (figures?.sent ?? 0), 0);
}
