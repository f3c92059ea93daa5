import { OWNERS } from '#lab/survey-lab/data.ts';
import { exactFigure } from '../framework/figure.ts';
import { countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { question, senderFile, SMALL, success } from './survey.ts';

const PATH = '/app/stream/read';
const READERS = 5;
const EACH = 6;

export const allPages = story({
  id: 'survey-lab/all-pages',
  statement: '9,000 rows of a user, of which a response has about 1,000: all pages are read, as each names the next.',
  owner: 'measure',
  usualSeconds: 15,
  needs: ['nginx'],
  draw: (dice) => ({ rows: dice.step(8_200, 9_800, 200), pageRows: dice.step(900, 1_100, 50) }),
  async play(scene, { rows, pageRows }) {
    const shown = scene.hidden(pageRows);
    const lab = await scene.lab('survey-lab', { ...SMALL, 'stream-rows': rows * OWNERS, 'service-ms': 20, 'page-rows': shown });
    // A last page that is full links to an empty one.
    const pages = Math.floor(rows / pageRows) + 1;
    const fields = { observer_id: 'lab', stream_version: '1', stream_id: 'frequent', num_to_skip: '{{skip}}' };
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab, OWNERS), order: 'sequential' } },
      journey: [
        question('rows', PATH, fields, {
          stores: false,
          checks: [...success, { kind: 'matches', pattern: '"count": ?[1-9]|"previous":' }],
          captures: [{ from: 'body', as: 'skip', pattern: String.raw`"next": ?"[^"]*num_to_skip=(\d+)`, otherwise: '' }],
          again: { while: 'skip', first: '0', most: 100 },
        }),
      ],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: READERS * EACH, seconds: EACH }] },
    });
    const wanted = READERS * EACH * pages;
    const lines = await lab.linesWhen(wanted, 'nginx', ({ path }) => path === PATH);
    return [
      exactFigure('pages', wanted, result.outcomes.requests.ok, countWithStatus(lines, 200)),
      exactFigure('readers with all rows', READERS * EACH, result.outcomes.journeys.finished, lines.length / pages),
    ];
  },
});
