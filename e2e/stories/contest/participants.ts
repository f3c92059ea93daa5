import { capacityOfRun } from '#core/judgement/capacity/capacity.ts';
import { computeDemand } from '#core/calculators/participants/participants.ts';
import type { RunResult } from '#core/result/schema.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const SECONDS = 5;
/** Pause in CMS's own stress test, and polling interval of CMS's pages in 2014, in seconds. */
const [PAUSE_SECONDS, POLL_SECONDS] = [5, 15];

export const participants = story({
  id: 'contest/participants',
  statement: 'Will about 750 participants hold? Their polls and clicks are the demand, the measured knee over it the head-room.',
  owner: 'conclusions',
  usualSeconds: 28,
  needs: ['postgresql'],
  draw: (dice) => ({ pool: dice.whole(8, 12), serviceMs: dice.step(180, 220, 10), count: dice.step(60, 90, 5) }),
  async play(scene, { pool, serviceMs, count }) {
    // A page holds a connection of the pool during its service time, while others wait.
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': scene.hidden(serviceMs),
      database: 'postgresql',
      'database-limit': 60,
      pool,
    });
    const { demand } = computeDemand({ count, pauseSeconds: PAUSE_SECONDS, pollSeconds: POLL_SECONDS });
    const levels = [Math.ceil(pool / 2), pool, 3 * pool];
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '?asked'),
      load: {
        model: 'connections',
        stages: levels.map((connections) => ({ name: `${connections} at a time`, connections, seconds: SECONDS })),
      },
      // With three times as many requests as connections in the pool, each request waits for two other requests.
      criteria: [{ kind: 'responseTime', percentile: 90, maxMs: 1.8 * serviceMs }],
      demand: { requestsPerSecond: demand, people: { count, name: 'participants' } },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'contest', ({ path }) => path === '/?asked');
    const most = (pool * 1_000) / serviceMs;
    const { headroom } = capacityOfRun(result);
    const [finding, ...others] = findFindings(result, 'headroom');
    return [
      equalFigure('pages', countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: 'demand',
        unit: '/s',
        predicted: count / PAUSE_SECONDS + count / POLL_SECONDS,
        measured: headroom?.demandPerSecond ?? null,
        logged: null,
        within: 1e-6,
      },
      {
        name: 'managed within the limits',
        unit: '/s',
        predicted: most,
        measured: headroom?.perSecond ?? null,
        logged: null,
        within: 0.15 * most,
      },
      {
        name: 'participants that it is enough for',
        unit: '',
        predicted: (count * most) / demand,
        measured: headroom?.people?.enoughFor ?? null,
        logged: null,
        within: (0.15 * count * most) / demand,
      },
      exactFigure('findings that say so', 1, finding === undefined ? 0 : 1 + others.length, null),
      exactFigure('and how full the database was', 1, countLinesWith(finding?.evidence, 'connections of “database”'), null),
      // On a busy machine a stage may be inconclusive, but must never pass.
      exactFigure('heaviest stage that is said to hold', 0, countPassed(result, `${levels[2]} at a time`), null),
    ];
  },
});

function countPassed({ criteria }: RunResult, name: string): number {
  return criteria.filter(({ stage, outcome }) => stage === name && outcome === 'passed').length;
}

function countLinesWith(evidence: readonly string[] | undefined, words: string): number {
  return (evidence ?? []).filter((line) => line.includes(words)).length;
}
