import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { checkMachine } from '../framework/checked.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { startProxy } from '../framework/proxy.ts';
import { countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { meanTime } from './contestant.ts';

const SHARDS = 32;
const PER_SECOND = 80;

export const shardList = story({
  id: 'contest/shard-list',
  statement:
    'Thirty-two servers on a host: each of the list is tried before the run, and the configuration of a proxy before them is told.',
  owner: 'hosts',
  usualSeconds: 14,
  needs: ['nginx'],
  draw: (dice) => ({ serviceMs: dice.step(240, 300, 10), gone: dice.whole(2, 5), first: dice.whole(1, 20), rounds: dice.whole(8, 10) }),
  async play(scene, { serviceMs, gone, first, rounds }) {
    const lab = await scene.lab('contest', { shards: SHARDS, 'service-ms': scene.hidden(serviceMs) });
    const plan = { targets: lab.urls.map((url) => ({ url })), journey: [{ name: 'page' }], load: ONE_REQUEST_EACH };
    const shards = Array.from({ length: gone }, (_, index) => first + 2 * index);
    for (const shard of shards) await lab.act(`stop-shard-${shard}`);
    const before = await checkMachine(scene, plan);
    for (const shard of shards) await lab.act(`start-shard-${shard}`);
    const after = await checkMachine(scene, plan);
    const configuration = after.find(({ id }) => id === 'serverList')?.remedy?.command ?? '';
    const proxy = await startProxy(configuration, scene.directory);
    try {
      const arrivals = SHARDS * rounds;
      const result = await scene.run({
        targets: [{ url: proxy.url }],
        journey: [{ name: 'page', path: '?asked' }],
        servers: { header: 'X-Upstream', expected: SHARDS },
        load: { model: 'arrivals', stages: [{ kind: 'count', arrivals, seconds: arrivals / PER_SECOND }] },
      });
      const lines = await lab.linesWhen(arrivals, 'contest', ({ path }) => path === '/?asked');
      const shares = new Map<string, number>();
      for (const { server } of lines) shares.set(server, (shares.get(server) ?? 0) + 1);
      const responded = result.servers.map((server) => server.responded);
      return [
        exactFigure('servers in the list', SHARDS, configuration.match(/^ +server .*;$/gm)?.length ?? 0, shares.size),
        exactFigure('said to be gone', gone, missingShards(before), null),
        exactFigure('when they are back', 0, missingShards(after), null),
        equalFigure('responses through the proxy', result.outcomes.requests.ok, countWithStatus(lines, 200)),
        exactFigure('servers that responded', SHARDS, responded.length, shares.size),
        exactFigure('the fewest responses of one', rounds, Math.min(...responded), Math.min(...shares.values())),
        exactFigure('the most responses of one', rounds, Math.max(...responded), Math.max(...shares.values())),
        meanTime(serviceMs, result, lines),
      ];
    } finally {
      await proxy.stop();
    }
  },
});

const ONE_REQUEST_EACH: PlanInput['load'] = { model: 'connections', stages: [{ connections: SHARDS, requests: SHARDS }] };

/** Returns the first number from a text such as “3 of 32 targets cannot be reached”. */
function missingShards(findings: readonly CheckFinding[]): number {
  const { level, title } = findings.find(({ id }) => id === 'targetReachable') ?? { level: 'unknown', title: '' };
  if (level === 'ok') return 0;
  return Number(/^(\d+) of 32 targets cannot be reached$/.exec(title)?.[1] ?? NaN);
}
