import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { CONTENT_PATHS } from '#lab/school-site/content.ts';
import { compare, findDifference, countSuccessful, isClearlyBetter, ratioOf } from '../framework/compared.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { getGauge } from '../framework/gauge.ts';
import { loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { playVariants } from '../framework/variants.ts';
import { ARRIVAL_STEPS, learners, TIME_TOLERANCE } from './learner.ts';

const STEPS = ['home', 'log in', 'page'] as const;

export const loginStep = story({
  id: 'school-site/login-step',
  statement: 'One step in two runs: the login that wrote to the database and the one that does not.',
  owner: 'conclusions',
  usualSeconds: 33,
  needs: ['nginx'],
  draw: (dice) => ({ visitors: dice.whole(3, 4), writeMs: dice.step(140, 180, 10), serviceMs: dice.step(110, 130, 10) }),
  async play(scene, { visitors, writeMs, serviceMs }) {
    const settings = { cache: 'off', workers: 20, 'service-ms': serviceMs };
    const writing = await scene.lab('school-site', { ...settings, 'login-write-ms': scene.hidden(writeMs) });
    const reading = await scene.lab('school-site', settings);
    const sides = [
      { name: 'writes', targets: [{ url: writing.urls[0] ?? '' }] },
      { name: 'writes nothing', targets: [{ url: reading.urls[0] ?? '' }] },
    ];
    const plan = {
      feeds: await learners(scene, writing, visitors),
      journey: [...ARRIVAL_STEPS, { name: 'page', path: CONTENT_PATHS[0] }],
      load: { model: 'connections' as const, stages: [{ connections: 1, requests: STEPS.length * visitors }] },
    };
    const { runs } = await playVariants(scene, plan, sides, MIN_RUNS_PER_SIDE);
    const comparison = await compare(scene, sides, runs);
    const requests = MIN_RUNS_PER_SIDE * STEPS.length * visitors;
    const [written, notWritten] = await Promise.all([writing, reading].map((lab) => lab.linesWhen(requests, 'nginx')));
    const logged = await Promise.all([writing, reading].map(async (lab) => loggedPercentile(await lab.lines('site', isLogin), 50)));
    const logins = (runs[0] ?? []).reduce((sum, { steps }) => sum + (steps.find(({ name }) => name === 'log in')?.requests.ok ?? NaN), 0);
    const quicker = STEPS.filter((step) => isClearlyBetter(findDifference(comparison, 1, 'p50', step)));
    const p50 = findDifference(comparison, 1, 'p50', 'log in');
    return [
      equalFigure('requests', countSuccessful(...runs), countWithStatus([...(written ?? []), ...(notWritten ?? [])], 200)),
      exactFigure('logins that were written', MIN_RUNS_PER_SIDE * visitors, logins, await getGauge(writing, 'logins written')),
      exactFigure(
        'comparisons that find a difference',
        1,
        comparison.pairs.filter(({ conclusion }) => conclusion === 'differs').length,
        null,
      ),
      exactFigure('steps that became better', 1, quicker.length, null),
      exactFigure('of which it is the login', 1, quicker.includes('log in') ? 1 : 0, null),
      {
        name: 'what writing costs',
        unit: 'ms',
        predicted: writeMs,
        measured: (p50?.from?.median ?? NaN) - (p50?.to?.median ?? NaN),
        logged: (logged[0] ?? NaN) - (logged[1] ?? NaN),
        within: 1.2 * TIME_TOLERANCE * writeMs,
      },
      ...(['home', 'page'] as const).map((step) => ({
        name: `times as long: ${step}`,
        unit: '',
        predicted: 1,
        measured: ratioOf(findDifference(comparison, 1, 'p50', step)),
        logged: null,
        within: 1.5 * TIME_TOLERANCE,
      })),
    ];
  },
});

function isLogin({ path }: LoggedRequest): boolean {
  return path === '/login_form';
}
