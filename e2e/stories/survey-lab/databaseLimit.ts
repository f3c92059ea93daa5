import { exactFigure, equalFigure } from '../framework/figure.ts';
import { findFindings, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, SMALL, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

const THREADS = 60;
/** Pool size. It is larger than the number of connections that the database allows. */
const POOL = 60;
const SECONDS = 8;
/** The connection of the monitor, which is counted by the monitor too. */
const MONITOR_CONNECTIONS = 1;

export const databaseLimit = story({
  id: 'survey-lab/database-limit',
  statement: 'The server’s pool is larger than what the database allows: uploads beyond it fail with status 200 (“Too many connections”).',
  owner: 'conclusions',
  usualSeconds: 20,
  needs: ['nginx', 'postgresql'],
  draw: (dice) => ({ limit: dice.step(20, 30, 2), uploadMs: dice.step(500, 700, 50) }),
  async play(scene, { limit, uploadMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      database: 'postgresql',
      threads: THREADS,
      queue: 200,
      connections: POOL,
      'database-limit': scene.hidden(limit),
      'upload-holds-connection': true,
      'upload-ms': uploadMs,
    });
    const phones = Math.round(1.6 * limit);
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      variables: uploadVariables,
      journey: [upload(2_000, { thinkTime: { kind: 'fixed', seconds: 0.2 } })],
      load: {
        model: 'connections',
        stages: [
          { connections: Math.round(0.4 * limit), seconds: SECONDS / 2 },
          { connections: phones, seconds: SECONDS },
        ],
      },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', isAbout(UPLOAD));
    const stored: unknown = await lab.act('count-stored');
    const [finding, ...more] = findFindings(result, 'limitReached').filter(({ level }) => level === 'problem');
    return [
      equalFigure(
        'responses',
        result.outcomes.requests.ok + result.outcomes.requests.wrongBody,
        lines.filter(({ status }) => status === 200).length,
      ),
      equalFigure('stored', result.outcomes.requests.ok, responsesIn(stored)),
      exactFigure('failed with status 200', 1, result.outcomes.requests.wrongBody > 0 ? 1 : 0, null),
      exactFigure('findings that name the limit', 1, finding === undefined ? 0 : 1 + more.length, null),
      exactFigure('limit that it tells', limit, figureOf(finding, 'Limit') ?? NaN, null),
      {
        name: 'most connections',
        unit: '',
        predicted: limit,
        measured: figureOf(finding, 'Highest reading'),
        logged: null,
        within: MONITOR_CONNECTIONS,
      },
    ];
  },
});

function responsesIn(stored: unknown): number {
  return typeof stored === 'object' && stored !== null && 'responses' in stored ? Number(stored.responses) : NaN;
}
