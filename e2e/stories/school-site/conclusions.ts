import { NO_BREAK } from '#core/base/unbroken.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { findFindings, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const SECONDS = 6;
const REMOVED_PAGE = '/removed-page';

export const conclusions = story({
  id: 'school-site/conclusions',
  statement: 'The empty section of the report: a list of conclusions.',
  owner: 'conclusions',
  usualSeconds: 22,
  needs: ['nginx'],
  draw: (dice) => ({ workers: dice.step(6, 10, 2), serviceMs: dice.step(160, 200, 10), readers: dice.step(100, 200, 10) }),
  async play(scene, { workers, serviceMs, readers }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers, 'service-ms': scene.hidden(serviceMs) });
    const most = (workers * 1_000) / serviceMs;
    const demand = most / 2;
    // With twice as many users as workers, all workers are always busy.
    const levels = [workers / 2, 2 * workers];
    const result = await scene.run({
      targets: oneStepPlan(lab.urls[0] ?? '').targets,
      journey: [
        { name: 'page', path: '/?asked' },
        { name: 'removed page', path: REMOVED_PAGE },
      ],
      load: {
        model: 'connections',
        stages: levels.map((connections) => ({ name: `${connections} readers`, connections, seconds: SECONDS })),
      },
      demand: { requestsPerSecond: demand, people: { count: readers, name: 'readers' } },
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', ({ path }) => path === '/?asked' || path === REMOVED_PAGE);
    // Markdown escapes special characters, and keeps numbers together with their units.
    const report = (await scene.exported(result, 'markdown')).replaceAll('\\', '').replaceAll(NO_BREAK, ' ');
    const cycles = await scene.exported(result, 'cycles');
    const perHour = /([\d.]+) × 3,600 = ([\d,]+) requests/.exec(report)?.[2];
    const enough = /enough for ([\d,]+) readers/.exec(report)?.[1];
    return [
      equalFigure('pages', result.outcomes.requests.ok, countWithStatus(lines, 200)),
      equalFigure('responses that there is no such page', result.status['404'] ?? 0, countWithStatus(lines, 404)),
      exactFigure('conclusions that a page is missing', 1, findFindings(result, 'missingRoute').length, null),
      exactFigure(
        'findings that the report leaves out',
        0,
        result.findings.filter(({ sentence }) => !report.includes(sentence)).length,
        null,
      ),
      exactFigure('cycles in its table', levels.length, levels.filter((at) => new RegExp(`^ *${at} `, 'm').test(cycles)).length, null),
      {
        name: 'readers that it is enough for',
        unit: '',
        predicted: 2 * readers,
        measured: numberOf(enough),
        logged: null,
        within: 0.2 * readers,
      },
      {
        name: 'pages in an hour of the best cycle',
        unit: '',
        predicted: 3_600 * most,
        measured: numberOf(perHour),
        logged: null,
        within: 0.1 * 3_600 * most,
      },
    ];
  },
});

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}
