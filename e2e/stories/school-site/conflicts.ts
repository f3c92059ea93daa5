import { accountFile } from '../framework/accounts.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { getGauge } from '../framework/gauge.ts';
import { findFindings, countRecorded, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { ARRIVAL_STEPS } from './learner.ts';

const JOURNEYS = 14;
/** Maximum number of retries, as in Zope. */
const MAX_RETRIES = 3;

export const conflicts = story({
  id: 'school-site/conflicts',
  statement:
    'Logins that all write one object of a ZODB: one is written at a time, the others are made again and fail after the fourth attempt.',
  owner: 'conclusions',
  usualSeconds: 28,
  needs: ['nginx'],
  // The number of threads is that of two or three Zopes with four threads each, behind one ZEO.
  draw: (dice) => ({ threads: dice.pick([8, 12]), serviceMs: dice.step(200, 260, 20), writeMs: dice.step(8, 14, 2) }),
  async play(scene, { threads, serviceMs, writeMs }) {
    const lab = await scene.lab('school-site', {
      cache: 'off',
      workers: threads,
      'service-ms': serviceMs,
      'login-write-ms': writeMs,
      'conflict-retries': scene.hidden(MAX_RETRIES),
    });
    const requests = ARRIVAL_STEPS.length * JOURNEYS * threads;
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await accountFile(scene, lab), order: 'random' } },
      journey: [...ARRIVAL_STEPS],
      load: { model: 'connections', stages: [{ connections: threads, requests }] },
    });
    const lines = await lab.linesWhen(requests, 'nginx');
    const login = result.steps.find(({ name }) => name === 'log in');
    const ofLogins = lines.filter(({ path }) => path === '/login_form');
    const [finding, ...more] = findFindings(result, 'triedAgain');
    const written = await getGauge(lab, 'logins written');
    const begin = Math.min(...ofLogins.map(({ startedAtMs }) => startedAtMs));
    const end = Math.max(...ofLogins.map(({ endedAtMs }) => endedAtMs));
    return [
      exactFigure('requests', requests, countRecorded(result), lines.length),
      equalFigure('logins written', login?.requests.ok ?? NaN, written),
      equalFigure('logins that failed', login?.status['500'] ?? NaN, ofLogins.filter(({ status }) => status === 500).length),
      exactFigure('findings that explain it', 1, finding === undefined ? 0 : 1 + more.length, null),
      exactFigure('attempts that it tells', 1 + MAX_RETRIES, figureOf(finding, 'Attempts') ?? NaN, null),
      {
        // This time does not depend on the number of threads: it is one commit, and the time until the next one begins.
        name: 'time for each that is written',
        unit: 'ms',
        predicted: serviceMs + writeMs + serviceMs / threads,
        measured: (end - begin) / (login?.requests.ok ?? NaN),
        logged: (end - begin) / written,
        within: 0.25 * (serviceMs + writeMs),
      },
    ];
  },
});
