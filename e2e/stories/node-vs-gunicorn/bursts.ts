import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { equalFigure, type Figure } from '../framework/figure.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import { countResponses, knownMs, oneStepPlan } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';

/** Values from the report, in seconds: service time, duration of a burst, time-out of the proxy. */
const SERVICE_SECONDS = 5;
const BURST_SECONDS = 10;
const LIMIT_SECONDS = 60;

/**
 * Returns the size of the largest burst without time-outs. In a burst, n requests are sent evenly over W seconds to m servers with service
 * time S. The last one ends S·ceil(n/m) − W(n − 1)/n after its arrival.
 */
export function largestBurst(servers: number, service = SERVICE_SECONDS, burst = BURST_SECONDS, limit = LIMIT_SECONDS): number {
  let count = 0;
  while (service * Math.ceil((count + 1) / servers) - (burst * count) / (count + 1) <= limit) count += 1;
  return count;
}

interface Search {
  readonly base: string;
  readonly sizes: readonly number[];
  readonly scale: number;
  readonly predicted: number;
  readonly within: number;
}

/** Sends bursts until one of them times out. Each is sent after the previous one has finished. */
async function searchLimit(scene: Scene, lab: LabProcess, { base, sizes, scale, predicted, within }: Search): Promise<Figure[]> {
  const first = sizes[0] ?? 0;
  let [measured, logged, sent, received] = [first - 1, first - 1, 0, 0];
  const maxMs = (LIMIT_SECONDS * 1_000) / scale;
  for (const size of sizes) {
    const page = `heavy?burst=${size}`;
    const result = await scene.run({
      ...oneStepPlan(base, page),
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: size, seconds: BURST_SECONDS / scale }] },
    });
    const lines = await lab.linesWhen(size, 'nginx', ({ path }) => path.endsWith(page));
    sent += countResponses(result);
    received += lines.length;
    if (lines.every((line) => isInTime(line, maxMs))) logged = size;
    if (!isAllInTime(result, size, maxMs)) break;
    measured = size;
  }
  return [{ name: 'largest burst in time', unit: '', predicted, measured, logged, within }, equalFigure('responses', sent, received)];
}

function isInTime(line: LoggedRequest, maxMs: number): boolean {
  return line.status === 200 && line.ms < maxMs;
}

/**
 * Returns whether all responses were in time. If there are several servers, nginx passes a request that has timed out to the next server,
 * so a late response is as bad as a 504.
 */
function isAllInTime(result: RunResult, size: number, maxMs: number): boolean {
  return (
    result.outcomes.requests.sent === size && countResponses(result, 504) === 0 && (knownMs(result.latency.service.max) ?? Infinity) < maxMs
  );
}

export const bursts = story({
  id: 'node-vs-gunicorn/bursts',
  statement: 'Bursts of ten seconds with pauses for the queue to empty: one process takes 13 before the proxy gives one up.',
  owner: 'measure',
  usualSeconds: 21,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ scale: dice.whole(16, 20) }),
  async play(scene, { scale }) {
    const lab = await scene.lab('node-vs-gunicorn', { scale, 'service-ms': scene.hidden(SERVICE_SECONDS * 1_000), replicas: 1 });
    const predicted = largestBurst(1);
    const sizes = [predicted - 2, predicted - 1, predicted, predicted + 1, predicted + 2];
    return searchLimit(scene, lab, { base: lab.address('Node'), sizes, scale, predicted, within: 1 });
  },
});

export const replicatedBursts = story({
  id: 'node-vs-gunicorn/replicated-bursts',
  statement: 'Three processes take bursts three times as large, 39.',
  owner: 'measure',
  usualSeconds: 21,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ scale: dice.whole(16, 20) }),
  async play(scene, { scale }) {
    const lab = await scene.lab('node-vs-gunicorn', { scale, 'service-ms': scene.hidden(SERVICE_SECONDS * 1_000), replicas: 3 });
    const predicted = largestBurst(3);
    const sizes = [predicted - 6, predicted - 3, predicted, predicted + 1, predicted + 4];
    return searchLimit(scene, lab, { base: lab.address('Node ×'), sizes, scale, predicted, within: 3 });
  },
});
