import type { SeriesResult } from '#core/series/result.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { meanMs, oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { TIME_TOLERANCE } from './learner.ts';

export const batches = story({
  id: 'school-site/batches',
  statement: 'A test in two batches: one table of both, with the requests of each, so that a swap between them is seen.',
  owner: 'measure',
  usualSeconds: 28,
  needs: ['nginx'],
  draw: (dice) => ({ first: dice.step(110, 150, 10), second: dice.step(200, 240, 10), serviceMs: dice.step(320, 400, 20) }),
  async play(scene, { first, second, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers: 40, 'service-ms': scene.hidden(serviceMs) });
    const plan = {
      ...oneStepPlan(lab.urls[0] ?? '', '/'),
      load: { model: 'connections' as const, stages: [{ connections: 1, requests: 100 }] },
    };
    const one = await scene.series(plan, { connections: [10, 20], requests: [first] });
    const afterOne = (await lab.linesWhen(2 * first, 'nginx')).length;
    const two = await scene.series(plan, { connections: [30, 40], requests: [second] });
    const lines = await lab.linesWhen(2 * (first + second), 'nginx');
    const client = await scene.client();
    const mergedResult = await client.call('series.merge', { batches: [{ seriesId: one.series.id }, { seriesId: two.series.id }] });
    const medians = mergedResult.rows.flatMap(({ p50 }) => (p50 === null ? [] : [p50.median]));
    return [
      exactFigure('cells of the table', 4, mergedResult.rows.filter(({ state }) => state === 'value').length, null),
      exactFigure('requests of the first batch, as the table tells', 2 * first, readBatchRequests(mergedResult, one.series.id), afterOne),
      exactFigure(
        'requests of the second batch, as the table tells',
        2 * second,
        readBatchRequests(mergedResult, two.series.id),
        lines.length - afterOne,
      ),
      equalFigure('good responses', countSuccessful(mergedResult), lines.filter(({ status }) => status === 200).length),
      {
        name: 'mean of the medians',
        unit: 'ms',
        predicted: serviceMs,
        measured: medians.reduce((sum, median) => sum + median, 0) / medians.length,
        logged: meanMs(lines),
        within: TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});

/** Returns the number of requests in the note about a batch: “Batch 1, ID of TIME: 2 cells, 2 runs, 1,240 requests …”. */
function readBatchRequests({ notes }: SeriesResult, id: string): number {
  const note = notes.find((text) => text.startsWith('Batch') && text.includes(id)) ?? '';
  return Number((/([\d,]+) requests/.exec(note)?.[1] ?? 'none').replaceAll(',', ''));
}

function countSuccessful({ rows }: SeriesResult): number {
  return rows.flatMap(({ runs }) => runs).reduce((sum, { figures }) => sum + (figures?.ok ?? 0), 0);
}
