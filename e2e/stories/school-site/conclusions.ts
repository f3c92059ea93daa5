import { exactly, same } from '../framework/figure.ts';
import { concluded, oneStep, withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const SECONDS = 5;

export const conclusions = story({
  id: 'school-site/conclusions',
  statement: 'The empty section of the report: a list of conclusions.',
  owner: 'conclusions',
  usualSeconds: 26,
  needs: ['nginx'],
  draw: (dice) => ({ workers: dice.whole(5, 8), serviceMs: dice.step(140, 180, 10) }),
  async play(scene, { workers, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers, 'service-ms': scene.hidden(serviceMs) });
    // Full from the first of them on, which a report once called an interesting decline.
    const levels = [2, 4, 8].map((times) => times * workers);
    const result = await scene.run({
      ...oneStep(lab.urls[0] ?? '', '/?asked'),
      load: {
        model: 'connections',
        stages: levels.map((connections) => ({ name: `${connections} readers`, connections, seconds: SECONDS })),
      },
    });
    const lines = await lab.linesWhen(result.ledger.requests.sent, 'nginx', ({ path }) => path === '/?asked');
    const report = await scene.exported(result, 'markdown');
    const cycles = await scene.exported(result, 'cycles');
    const most = (workers * 1_000) / serviceMs;
    const [full] = concluded(result, 'saturatedBelow');
    const plain = report.replaceAll('\\', '');
    const perHour = /([\d.]+) × 3,600 = ([\d,]+) requests/.exec(plain);
    return [
      same('pages', result.ledger.requests.ok, withStatus(lines, 200)),
      exactly('conclusions that it was full from the beginning', 1, full === undefined ? 0 : 1, null),
      exactly('findings that the report leaves out', 0, result.findings.filter(({ sentence }) => !plain.includes(sentence)).length, null),
      exactly(
        'says why no curve is told',
        1,
        plain.includes('it was full from the beginning, and where it began lies below') ? 1 : 0,
        null,
      ),
      exactly('cycles in its table', levels.length, levels.filter((at) => new RegExp(`^ *${at} `, 'm').test(cycles)).length, null),
      {
        name: 'pages in an hour of the best cycle',
        unit: '',
        predicted: 3_600 * most,
        measured: perHour?.[2] === undefined ? null : Number(perHour[2].replaceAll(',', '')),
        logged: null,
        within: 0.1 * 3_600 * most,
      },
    ];
  },
});
