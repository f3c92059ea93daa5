import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { equalFigure } from '../framework/figure.ts';
import { countResponses, oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

/** Duration in seconds before the spike. During it, there is one request per second, which either server can process. */
const WARM_UP_SECONDS = 3;
const SPIKE_SECONDS = 1;

export const spike = story({
  id: 'node-vs-gunicorn/spike',
  statement: 'After a spike Node is itself again within a service time or two, gunicorn only when it has worked off all that came.',
  owner: 'measure',
  usualSeconds: 18,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(4_500, 5_000, 100), arrivals: dice.whole(8, 10) }),
  async play(scene, { serviceMs, arrivals }) {
    const service = serviceMs / SCALE / 1_000;
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, 'service-ms': scene.hidden(serviceMs), replicas: 1 });
    const run = (base: string): Promise<RunResult> =>
      scene.run({
        ...oneStepPlan(base, 'timeout'),
        load: {
          model: 'arrivals',
          stages: [
            { kind: 'constant', name: 'warm-up', perSecond: 1, seconds: WARM_UP_SECONDS },
            { kind: 'count', name: 'spike', arrivals, seconds: SPIKE_SECONDS },
          ],
        },
      });
    const all = WARM_UP_SECONDS + arrivals;
    const node = await run(lab.address('Node'));
    const nodeLines = await lab.linesWhen(all, 'nginx', isForPage('/node/timeout'));
    const gunicorn = await run(lab.address('gunicorn'));
    const gunicornLines = await lab.linesWhen(all, 'nginx', isForPage('/gunicorn/timeout'));
    // Each of the n requests arrives in the middle of an n-th part of the spike.
    const remaining = SPIKE_SECONDS / arrivals / 2;
    return [
      equalFigure('responses of Node', countResponses(node, 200), nodeLines.length),
      equalFigure('responses of gunicorn', countResponses(gunicorn, 200), gunicornLines.length),
      {
        name: 'recovery of Node',
        unit: 's',
        predicted: service - remaining,
        measured: getRecovery(node),
        logged: recoveryIn(nodeLines, remaining),
        within: 0.09 * service,
        agreeWithin: 0.1,
      },
      {
        name: 'recovery of gunicorn',
        unit: 's',
        predicted: remaining + arrivals * service - SPIKE_SECONDS,
        measured: getRecovery(gunicorn),
        logged: recoveryIn(gunicornLines, remaining),
        within: 0.08 * arrivals * service,
        agreeWithin: 0.1,
      },
    ];
  },
});

/** Returns the time from the end of the load to the last response, in seconds. */
function getRecovery({ durationSeconds, stages }: RunResult): number | null {
  const endedAt = stages.at(-1)?.endedAtSecond ?? null;
  return durationSeconds === null || endedAt === null ? null : durationSeconds - endedAt;
}

/**
 * Returns the time from the end of the load to the last response according to the log, in seconds. `remaining` is how long before the end
 * of the load the last request arrived.
 */
function recoveryIn(lines: readonly LoggedRequest[], remaining: number): number {
  const lastCame = Math.max(...lines.map(({ startedAtMs }) => startedAtMs));
  const end = Math.max(...lines.map(({ endedAtMs }) => endedAtMs));
  return (end - lastCame) / 1_000 - remaining;
}
