import type { LabProcess } from '../framework/labProcess.ts';
import { compare, compareInTurn, findDifference, claimsDirection, medianIn } from '../framework/compared.ts';
import { exactFigure, equalFigure, type Figure } from '../framework/figure.ts';
import { countResponsesOfAll, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED = 3;
const POOL = 1;
const PER_SECOND = 40;
/** A limit that no run can reach. */
const UNREACHED_LIMIT = 100;

function buildSide(name: string, lab: LabProcess, requests: number) {
  return {
    name,
    plan: {
      ...oneStepPlan(lab.urls[0] ?? '', '?leaking'),
      load: { model: 'arrivals' as const, stages: [{ kind: 'count' as const, arrivals: requests, seconds: requests / PER_SECOND }] },
    },
    // This has the same effect as a restart of the servers.
    after: () => lab.act('end-leaked'),
  };
}

export const threeRuns = story({
  id: 'contest/three-runs',
  statement: 'A smaller leak takes longer, a larger limit is clean: three runs side by side.',
  owner: 'conclusions',
  usualSeconds: 35,
  needs: ['postgresql'],
  draw: (dice) => ({ limit: dice.whole(13, 16) }),
  async play(scene, { limit }) {
    // Number of requests that can leak a connection until none is left. Three times as many requests are sent, rounded to an even number,
    // so that each run leaks at the same requests.
    const room = limit - RESERVED - POOL;
    const requests = 2 * Math.ceil(1.5 * room);
    const kinds = [
      { name: 'each leaks', leakOneIn: 1, limit: scene.hidden(limit) },
      { name: 'one in 2 leaks', leakOneIn: 2, limit: scene.hidden(limit) },
      { name: 'larger limit', leakOneIn: 1, limit: UNREACHED_LIMIT },
    ];
    const labs = await Promise.all(
      kinds.map((kind) =>
        scene.lab('contest', {
          shards: 1,
          'service-ms': 5,
          database: 'postgresql',
          'database-limit': kind.limit,
          pool: POOL,
          'leak-one-in': kind.leakOneIn,
        }),
      ),
    );
    const sides = labs.map((lab, index) => buildSide(kinds[index]?.name ?? '', lab, requests));
    const { comparison, runs } = await compareInTurn(scene, sides);
    const firstRuns = runs.map((ofSide) => ofSide.slice(0, 1));
    const single = await compare(scene, sides, firstRuns);
    const turns = runs[0]?.length ?? 0;
    const logs = await Promise.all(labs.map((lab) => lab.linesWhen(turns * requests, 'contest', ({ path }) => path === '/?leaking')));
    const counted = kinds.map(({ leakOneIn }, side) => {
      const failed = countResponsesOfAll(runs[side] ?? [], 500);
      const logged = countWithStatus(logs[side] ?? [], 500);
      // When no connection is free, only the requests that would leak a connection fail.
      const requestsBefore = (count: number): number => requests - (leakOneIn * count) / turns;
      return { failed, logged, secondsBefore: requestsBefore(failed) / PER_SECOND, loggedBefore: requestsBefore(logged) / PER_SECOND };
    });
    const [each, half, large] = counted;
    return [
      ...kinds.map(({ name }, side) =>
        equalFigure(`responded, ${name}`, countResponsesOfAll(runs[side] ?? [], 200), countWithStatus(logs[side] ?? [], 200)),
      ),
      ...kinds.map(({ name }, side) => equalFigure(`failed, ${name}`, counted[side]?.failed ?? NaN, counted[side]?.logged ?? NaN)),
      ...[each, half].map((one, side): Figure => ({
        name: `until the first fails, ${kinds[side]?.name}`,
        unit: 's',
        predicted: ((side + 1) * room) / PER_SECOND,
        measured: one?.secondsBefore ?? null,
        logged: one?.loggedBefore ?? null,
        within: (1.5 * (side + 1)) / PER_SECOND,
        agreeWithin: 0,
      })),
      {
        name: 'half the leak lasts as much longer',
        unit: '',
        predicted: 2,
        measured: (half?.secondsBefore ?? NaN) / (each?.secondsBefore ?? NaN),
        logged: (half?.loggedBefore ?? NaN) / (each?.loggedBefore ?? NaN),
        within: 0.25,
        agreeWithin: 0,
      },
      exactFigure('failed with the larger limit', 0, large?.failed ?? NaN, large?.logged ?? NaN),
      ...kinds.map(({ name }, side): Figure => ({
        name: `share that failed, ${name}`,
        unit: '',
        predicted: null,
        measured: medianIn(comparison, side, 'failedShare'),
        logged: (counted[side]?.logged ?? NaN) / (turns * requests),
        within: 1 / requests,
      })),
      exactFigure(
        'called better than the first',
        2,
        [1, 2].filter((side) => claimsDirection('better', findDifference(comparison, side, 'failedShare'))).length,
        null,
      ),
      exactFigure('sides made in turn', 2, comparison.pairs.filter(({ isInterleaved }) => isInterleaved).length, null),
      exactFigure('claims from a run of each', 0, single.pairs.filter(({ conclusion }) => conclusion !== 'tooFew').length, null),
    ];
  },
});
