import { exactFigure, equalFigure } from '../framework/figure.ts';
import { findFindings, knownMs, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, SMALL, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

const CALM_SECONDS = 5;
const FULL_SECONDS = 8;
/** Number of threads. Each one serves a phone in parallel to the others. */
const THREADS = 80;

export const poolWait = story({
  id: 'survey-lab/pool-wait',
  statement:
    'An upload holds a connection of the pool, and who finds none waits in turn: as many are stored at a time as the pool has, and the rest take longer.',
  owner: 'conclusions',
  usualSeconds: 24,
  needs: ['nginx', 'postgresql'],
  draw: (dice) => ({ pool: dice.whole(8, 14), uploadMs: dice.step(300, 400, 20) }),
  async play(scene, { pool, uploadMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      database: 'postgresql',
      threads: THREADS,
      connections: scene.hidden(pool),
      'upload-holds-connection': true,
      'upload-ms': uploadMs,
    });
    const phones = 3 * pool;
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      servers: { pool: 'tomcatJdbc' },
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      variables: uploadVariables,
      journey: [upload(2_000)],
      load: {
        model: 'connections',
        stages: [
          { name: 'few', connections: Math.floor(pool / 2), seconds: CALM_SECONDS },
          { name: 'many', connections: phones, seconds: FULL_SECONDS },
        ],
      },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', isAbout(UPLOAD));
    const many = result.stages.find(({ name }) => name === 'many');
    const [finding, ...more] = findFindings(result, 'poolWait');
    return [
      equalFigure('uploads', result.outcomes.requests.ok, lines.filter(({ status }) => status === 200).length),
      exactFigure('findings that explain it', 1, finding === undefined ? 0 : 1 + more.length, null),
      exactFigure('connections in use', pool, figureOf(finding, 'Max connections in use') ?? NaN, null),
      exactFigure('requests on their way', phones, figureOf(finding, 'Max requests in flight then') ?? NaN, null),
      {
        name: 'time with three times as many as the pool',
        unit: 'ms',
        predicted: 3 * uploadMs,
        measured: knownMs(many?.latency.service.p50 ?? null),
        logged: null,
        within: 0.25 * 3 * uploadMs,
      },
      exactFigure('names of its setting', 1, finding?.remedy.includes('maxActive') === true ? 1 : 0, null),
    ];
  },
});
