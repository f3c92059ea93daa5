import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { RunResult } from '#core/result/schema.ts';
import { PORTION_COUNT } from '#lab/survey-lab/data.ts';
import { compare, findDifference, countSuccessful, ratioOf } from '../framework/compared.ts';
import { exactFigure, type Figure } from '../framework/figure.ts';
import { getGauge } from '../framework/gauge.ts';
import { loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, READ, respondents, SMALL, TIME_TOLERANCE, senderFile } from './survey.ts';

const EACH = 2;
/** How the server is changed before the runs of each side, and the number of table scans per query after that change. */
const SIDES = [
  { name: 'as it was', act: null, scans: PORTION_COUNT },
  { name: 'put in order', act: 'put-in-order', scans: PORTION_COUNT },
  { name: 'column dropped', act: 'drop-column', scans: PORTION_COUNT },
  { name: 'query rewritten', act: 'rewrite-query', scans: 1 },
] as const;

export const rewrittenQuery = story({
  id: 'survey-lab/rewritten-query',
  statement: 'A table put in order, a column dropped, a query rewritten: three differences.',
  owner: 'conclusions',
  usualSeconds: 37,
  needs: ['nginx'],
  draw: (dice) => ({ responses: dice.step(750, 900, 50), spareBytes: dice.step(450, 600, 50), diskMs: dice.step(45, 55, 5) / 100 }),
  async play(scene, { responses, spareBytes, diskMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      responses,
      holes: 1,
      'spare-column-bytes': spareBytes,
      'list-query': 'portions',
      'service-ms': 0,
      // There is no cache, as for tables that are far larger than the memory.
      'memory-mb': 0,
      'disk-ms': scene.hidden(diskMs),
    });
    const plan = {
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' as const } },
      journey: [respondents('who handed in')],
      load: { model: 'connections' as const, stages: [{ connections: 1, requests: EACH }] },
    };
    const runs: RunResult[][] = [];
    const reads: number[] = [];
    for (const { act, scans } of SIDES) {
      if (act !== null) await lab.act(act);
      reads.push(scans * (await getGauge(lab, 'blocks of responses')));
      const ownResults: RunResult[] = [];
      for (let repeat = 0; repeat < MIN_RUNS_PER_SIDE; repeat += 1) ownResults.push(await scene.run(plan));
      runs.push(ownResults);
    }
    const comparison = await compare(scene, SIDES, runs);
    const requestCount = SIDES.length * MIN_RUNS_PER_SIDE * EACH;
    const lines = (await lab.linesWhen(requestCount, 'survey', isAbout(READ))).toSorted(
      (remainingRequest, right) => remainingRequest.startedAtMs - right.startedAtMs,
    );
    const logged = SIDES.map((_, side) =>
      loggedPercentile(lines.slice(side * MIN_RUNS_PER_SIDE * EACH, (side + 1) * MIN_RUNS_PER_SIDE * EACH), 50),
    );
    const inOrderOfTime = comparison.pairs.filter(({ isInterleaved }) => isInterleaved === false);
    const better = comparison.pairs.filter(
      ({ side, conclusion }) => conclusion === 'differs' && findDifference(comparison, side, 'p50')?.direction === 'better',
    );
    return [
      exactFigure('lists', requestCount, countSuccessful(...runs), countWithStatus(lines, 200)),
      exactFigure('sides that are surely better', SIDES.length - 1, better.length, null),
      exactFigure('of which it is said that time may have a part in it', SIDES.length - 1, inOrderOfTime.length, null),
      {
        name: 'the room that order saves',
        unit: '%',
        predicted: 50,
        measured: 100 * (1 - ratioOf(findDifference(comparison, 1, 'p50'))),
        logged: 100 * (1 - (logged[1] ?? NaN) / (logged[0] ?? NaN)),
        within: 8,
      },
      ...SIDES.slice(1).map(({ name }, index): Figure => {
        const predicted = (reads[index + 1] ?? NaN) / (reads[0] ?? NaN);
        return {
          name: `times as long, ${name}`,
          unit: '',
          predicted,
          measured: ratioOf(findDifference(comparison, index + 1, 'p50')),
          logged: (logged[index + 1] ?? NaN) / (logged[0] ?? NaN),
          within: 0.06,
        };
      }),
      {
        name: 'as it was',
        unit: 'ms',
        predicted: (reads[0] ?? NaN) * diskMs,
        measured: findDifference(comparison, 1, 'p50')?.from?.median ?? null,
        logged: logged[0] ?? null,
        within: TIME_TOLERANCE * (reads[0] ?? NaN) * diskMs,
      },
    ];
  },
});
