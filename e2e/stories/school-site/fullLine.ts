import { planSchema } from '#core/plan/schema/plan.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { findFindings, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { BYTES_ON_THE_LINE, SHEET_BYTES, SHEET_PATH } from './bandwidth.ts';

const SECONDS = 6;

export const fullLine = story({
  id: 'school-site/full-line',
  statement: 'Bytes a second stay the same at any concurrency: the link is the limit, and it is said.',
  owner: 'conclusions',
  usualSeconds: 26,
  needs: ['nginx', 'namespace'],
  draw: (dice) => ({ megabits: dice.whole(8, 10), few: dice.whole(3, 5), many: dice.whole(12, 20) }),
  async play(scene, { megabits, few, many }) {
    const lab = await scene.lab('school-site', { bandwidth: scene.hidden(megabits) });
    const plan = (what: string) => ({
      ...oneStepPlan(lab.urls[0] ?? '', `${SHEET_PATH}?${what}`),
      load: { model: 'connections' as const, stages: [few, many].map((connections) => ({ connections, seconds: SECONDS })) },
    });
    const client = await scene.client();
    await client.call('checks.path', { plan: planSchema.parse({ holdfast: 1, name: 'Story', ...plan('measured') }) });
    const result = await scene.run(plan('asked'));
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', ({ path }) => path.endsWith('?asked'));
    const [line, ...others] = findFindings(result, 'bandwidthBound');
    const body = (megabits * SHEET_BYTES) / BYTES_ON_THE_LINE;
    return [
      equalFigure('responses', result.outcomes.requests.ok, countWithStatus(lines, 200)),
      exactFigure('findings that call it the line', 1, line === undefined ? 0 : 1 + others.length, null),
      exactFigure('findings that call the server full', 0, findFindings(result, 'saturatedBelow').length, null),
      {
        name: 'came, as it says',
        unit: 'Mbit/s',
        predicted: body,
        measured: numberIn(line?.sentence, /responses filled ([\d.]+) Mbit\/s/),
        logged: null,
        within: 0.1 * body,
      },
      {
        name: 'the line carries, as it says',
        unit: 'Mbit/s',
        predicted: body,
        measured: numberIn(line?.sentence, /of its ([\d.]+) Mbit\/s/),
        logged: null,
        within: 0.12 * body,
      },
    ];
  },
});

function numberIn(sentence: string | undefined, form: RegExp): number | null {
  const [, digits] = form.exec(sentence ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}
