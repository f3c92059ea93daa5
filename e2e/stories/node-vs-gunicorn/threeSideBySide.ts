import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Series } from '#core/plan/schema/series.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { compare, findDifference, claimsDifference, claimsDirection, minimumIn } from '../framework/compared.ts';
import { exactFigure } from '../framework/figure.ts';
import { countResponsesOfAll, loggedPercentile, countWithStatus } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';
import { runsOfRow } from '../framework/variants.ts';

const REPLICAS = 3;
/** Speed-up compared with the report, in which a burst takes ten seconds. */
const SCALE = 40;
const BURST = 6;
const BURST_SECONDS = 10 / SCALE;
/** Maximum difference that counts as negligible. */
const MAX_NEGLIGIBLE_SHARE = 0.15;

export const threeSideBySide = story({
  id: 'node-vs-gunicorn/three-side-by-side',
  statement: 'Node, gunicorn and three Nodes in one view.',
  owner: 'conclusions',
  usualSeconds: 38,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(4_500, 6_000, 250) }),
  async play(scene, { serviceMs }) {
    const lab = await scene.lab('node-vs-gunicorn', {
      scale: SCALE,
      heavy: 'block',
      'service-ms': scene.hidden(serviceMs),
      'proxy-timeout-ms': 120_000,
      replicas: REPLICAS,
    });
    const { plan, series } = await presetPlan(scene, lab.address('Node'), serviceMs);
    const table = await scene.wholeSeries({
      plan: { ...plan, servers: { header: 'X-Upstream' } },
      series: { ...series, repeats: MIN_RUNS_PER_SIDE, coolDownSeconds: 0 },
    });
    const runs = await Promise.all(table.rows.map((row) => runsOfRow(scene, row)));
    const sides = table.rows.map(({ cell }) => ({ name: cell }));
    const comparison = await compare(scene, sides, runs);
    const each = MIN_RUNS_PER_SIDE * BURST;
    const lines = await lab.linesWhen(3 * each, 'nginx', ({ path }) => path.endsWith('/heavy'));
    const logs = ['/node/', '/gunicorn/', '/node_replicated/'].map((prefix) => lines.filter(({ path }) => path.startsWith(prefix)));
    const service = serviceMs / SCALE;
    const three = findDifference(comparison, 2, 'p50');
    return [
      exactFigure('sides of the view', 3, comparison.sides.length, null),
      ...sides.flatMap(({ name }, side) => {
        const log = logs[side] ?? [];
        const predicted = medianOfBurst(BURST, side === 2 ? REPLICAS : 1, service);
        return [
          exactFigure(`responses of ${name}`, each, countResponsesOfAll(runs[side] ?? [], 200), countWithStatus(log, 200)),
          {
            // The minimum is compared, because other load on this machine can only make the time longer.
            name: `least median of ${name}`,
            unit: 'ms',
            predicted,
            measured: minimumIn(comparison, side, 'p50'),
            logged: Math.min(...burstsIn(log).map((lines) => loggedPercentile(lines, 50))),
            within: MAX_NEGLIGIBLE_SHARE * predicted,
          },
        ];
      }),
      exactFigure(
        'most responses of a replica',
        each / REPLICAS,
        Math.max(...listShares(runs[2] ?? [])),
        Math.max(...listUpstreams(logs[2] ?? [])),
      ),
      exactFigure(
        'claims that gunicorn is another matter',
        0,
        claimsDifference(findDifference(comparison, 1, 'p50'), MAX_NEGLIGIBLE_SHARE) ? 1 : 0,
        null,
      ),
      exactFigure('three Nodes called better', 1, claimsDirection('better', three, MAX_NEGLIGIBLE_SHARE) ? 1 : 0, null),
      exactFigure('sides made in turn', 2, comparison.pairs.filter(({ isInterleaved }) => isInterleaved).length, null),
    ];
  },
});

/** Returns the plan and the three servers of the preset, with a single burst that each of the servers can process. */
async function presetPlan(scene: Scene, url: string, serviceMs: number): Promise<{ plan: Plan; series: Series }> {
  const client = await scene.client();
  const { plan, series, issues } = await client.call('presets.build', {
    id: 'node-vs-gunicorn',
    answers: {
      test: 'bursts',
      where: 'beside',
      servers: 'all',
      scale: SCALE,
      serviceSeconds: serviceMs / 1_000,
      proxySeconds: 120,
      replicas: REPLICAS,
      burstPage: 'heavy',
      sizes: 'range',
      firstBurst: BURST,
      lastBurst: BURST,
      burstStep: 1,
    },
    targets: [{ url }],
  });
  if (plan === null || series === null) throw new Error(`The preset makes no plan: ${issues.map(({ message }) => message).join('; ')}`);
  return { plan, series };
}

/**
 * Returns the expected median in ms. Request i (from 0) of n arrives at W·(i + ½)/n. The m servers get requests in turn, and each processes
 * one at a time in S.
 */
function medianOfBurst(count: number, servers: number, serviceMs: number): number {
  const free = Array.from({ length: servers }, () => 0);
  const times = Array.from({ length: count }, (_, index) => {
    const came = (BURST_SECONDS * 1_000 * (index + 0.5)) / count;
    const end = Math.max(came, free[index % servers] ?? 0) + serviceMs;
    free[index % servers] = end;
    return end - came;
  });
  return times.toSorted((one, other) => one - other)[Math.ceil(count / 2) - 1] ?? NaN;
}

/** Returns the lines of the proxy's log, grouped by run. */
function burstsIn(log: readonly LoggedRequest[]): LoggedRequest[][] {
  const lines = log.toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  return Array.from({ length: MIN_RUNS_PER_SIDE }, (_, run) => lines.slice(run * BURST, (run + 1) * BURST));
}

/** Returns the number of responses from each replica, as counted by the app. */
function listShares(runs: readonly RunResult[]): number[] {
  return sumByName(runs.flatMap(({ servers }) => servers.map(({ name, responded }) => [name, responded] as const)));
}

/** Returns the number of responses from each replica, as counted in the proxy's log. */
function listUpstreams(lines: readonly LoggedRequest[]): number[] {
  return sumByName(lines.map(({ upstream }) => [upstream, 1] as const));
}

function sumByName(parts: readonly (readonly [name: string, count: number])[]): number[] {
  const sums = new Map<string, number>();
  for (const [name, count] of parts) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums.values()];
}
