import { exactFigure, equalFigure } from '../framework/figure.ts';
import { oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

/** Path of the style sheet with which the cache was measured in the report. */
export const SHEET_PATH = '/++resource++page-1-1.css';
export const SHEET_BYTES = 31_966;
/**
 * Number of bytes that a response with this style sheet takes on the line, including its headers, the headers of 22 packets of 1,500 bytes,
 * and acknowledgements.
 */
export const BYTES_ON_THE_LINE = 35_000;
const SECONDS = 8;

export const bandwidth = story({
  id: 'school-site/bandwidth',
  statement: 'A page of 31,966 bytes over a narrow line: as many a second at any concurrency, since the line is full.',
  owner: 'measure',
  usualSeconds: 20,
  needs: ['nginx', 'namespace'],
  draw: (dice) => ({ megabits: dice.whole(8, 10), few: dice.whole(3, 5), many: dice.whole(12, 20) }),
  async play(scene, { megabits, few, many }) {
    const lab = await scene.lab('school-site', { bandwidth: scene.hidden(megabits) });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', SHEET_PATH),
      load: { model: 'connections', stages: [few, many].map((connections) => ({ connections, seconds: SECONDS })) },
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx');
    const perSecond = (megabits * 1e6) / 8 / BYTES_ON_THE_LINE;
    return [
      equalFigure('requests', result.outcomes.requests.sent, lines.length),
      equalFigure('responses', result.outcomes.requests.ok, countWithStatus(lines, 200)),
      exactFigure('bytes of each', SHEET_BYTES, result.bodyLength.first ?? NaN, null),
      ...[few, many].map((connections, index) => ({
        name: `a second over ${connections} connections`,
        unit: '/s',
        predicted: perSecond,
        measured: result.stages[index]?.rates.completedPerSecond ?? null,
        logged: null,
        within: 0.1 * perSecond,
      })),
      {
        name: 'of one by of the other',
        unit: '',
        predicted: 1,
        measured: (result.stages[1]?.rates.completedPerSecond ?? NaN) / (result.stages[0]?.rates.completedPerSecond ?? NaN),
        logged: null,
        within: 0.08,
      },
    ];
  },
});
