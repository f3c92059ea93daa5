import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Scene } from '../framework/scene.ts';
import { accountFile } from '../framework/accounts.ts';
import { exactFigure } from '../framework/figure.ts';
import { meanMs, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import { SMALL, TIME_TOLERANCE } from './survey.ts';

const CAMPAIGNS = 3;
const REPEATED_REQUEST = '12 responses of each campaign';
/** The seventeen requests of the web page. The twelfth one is sent once for each campaign. */
const LINES = [
  '',
  'app/user/whoami',
  'app/config/read',
  'app/user/auth_token',
  '',
  'app/user/whoami',
  'app/config/read',
  'app/user_info/read',
  'app/campaign/read',
  'app/class/read',
  'app/campaign/read',
  ...Array.from({ length: CAMPAIGNS }, () => 'app/survey_response/read'),
  'app/campaign/read',
  'app/survey_response/read',
  'app/campaign/read',
  'app/survey_response/read',
  'app/survey_response/read',
].map((path) => `/${path}`);

export const download = story({
  id: 'survey-lab/download',
  statement: 'Seventeen requests in their order, with duplicates and one for each campaign, in the columns of JMeter.',
  owner: 'measure',
  usualSeconds: 16,
  needs: ['nginx'],
  draw: (dice) => ({ teachers: dice.whole(10, 16), serviceMs: dice.step(180, 240, 10) }),
  async play(scene, { teachers, serviceMs }) {
    const lab = await scene.lab('survey-lab', { ...SMALL, threads: 40, 'service-ms': scene.hidden(serviceMs) });
    const plan = await downloadPlan(scene, lab);
    const load = (arrivals: number): Pick<PlanInput, 'load'> => ({
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals, seconds: 1 }] },
    });
    const alone = await scene.run({ ...plan, ...load(1) });
    const inOrder = await lab.linesWhen(LINES.length, 'nginx');
    const all = await scene.run({ ...plan, ...load(teachers) });
    const lines = (await lab.linesWhen(LINES.length * (1 + teachers), 'nginx')).slice(LINES.length);
    const table = jmeterRows(await scene.exported(all, 'jmeter'));
    const [, samples = NaN, average = NaN, , , , , errors = NaN] = table.get(REPEATED_REQUEST) ?? [];
    const [, total = NaN] = table.get('TOTAL') ?? [];
    const responses = lines.filter(({ path }) => path === '/app/survey_response/read');
    return [
      exactFigure('requests of one walk', LINES.length, alone.outcomes.requests.ok, inOrder.length),
      exactFigure(
        'out of their order',
        0,
        alone.outcomes.requests.sent - alone.outcomes.requests.ok,
        inOrder.filter(({ path }, index) => path !== LINES[index]).length,
      ),
      exactFigure('lines of the table', 18, table.size, null),
      exactFigure('samples of all', LINES.length * teachers, total, lines.length),
      // Three other lines in the table request the same page.
      exactFigure('samples of the one for each campaign', CAMPAIGNS * teachers, samples, responses.length - 3 * teachers),
      exactFigure('errors in percent', 0, errors, lines.length - countWithStatus(lines, 200)),
      {
        name: 'its average',
        unit: 'ms',
        predicted: serviceMs,
        measured: average,
        logged: meanMs(responses),
        within: TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});

/** Returns the plan that the preset makes. */
async function downloadPlan(scene: Scene, lab: LabProcess): Promise<Omit<PlanInput, 'load'>> {
  const client = await scene.client();
  const countResponses = { test: 'download', scale: 10, accounts: await accountFile(scene, lab) };
  const { plan } = await client.call('presets.build', { id: 'ohmage', answers: countResponses, targets: [{ url: lab.urls[0] ?? '' }] });
  if (plan === null) throw new Error('The preset makes no plan.');
  return plan;
}

/** Returns the rows of JMeter's table by label: samples, average, median, 90 % line, minimum, maximum, errors. */
function jmeterRows(text: string): Map<string, number[]> {
  const [head = -1] = [text.split('\n').findIndex((line) => line.startsWith('Label'))];
  const rows = text
    .split('\n')
    .slice(head + 1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/ {2,}/));
  return new Map(rows.map(([label = '', ...cells]) => [label, [NaN, ...cells.map((cell) => Number.parseFloat(cell))]]));
}
