import { readFileSync } from 'node:fs';
import { equalFigure } from '../framework/figure.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

const BACKLOG = 1;
/**
 * Time-out of a request in seconds. It is long enough for connections that are accepted at the last retry, but too short for another retry.
 */
const PATIENCE_SECONDS = 2.95;
const SECONDS = 2.5;

export const shortQueue = story({
  id: 'node-vs-gunicorn/short-queue',
  statement:
    'With a short accept queue gunicorn serves nobody who has gone, for who finds it full comes again: as many are responded as fit into the time in which somebody asks.',
  owner: 'measure',
  usualSeconds: 13,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(2_400, 2_600, 50), perSecond: dice.whole(18, 26) }),
  async play(scene, { serviceMs, perSecond }) {
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, 'service-ms': scene.hidden(serviceMs), backlog: BACKLOG, replicas: 1 });
    const result = await scene.run({
      ...oneStepPlan(lab.address('gunicorn'), 'timeout'),
      timeoutSeconds: PATIENCE_SECONDS,
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds: SECONDS }] },
    });
    const { sent, timeout } = result.outcomes.requests;
    const lines = await lab.linesWhen(sent, 'nginx', isForPage('/gunicorn/timeout'));
    const served = await lab.lines('gunicorn');
    const responded = countWithStatus(lines, 200);
    return [
      equalFigure('sent', sent, lines.length),
      {
        name: 'responded',
        unit: '',
        predicted: predictResponses(serviceMs / SCALE / 1_000, perSecond),
        measured: countResponses(result, 200),
        logged: responded,
        within: 1,
        agreeWithin: 0,
      },
      // Requests without a response found the queue full until they timed out, so gunicorn never received them.
      equalFigure('gave up', timeout, lines.length - responded),
      // At most one request is served in vain: the one that was being processed when it timed out.
      {
        name: 'served in vain',
        unit: '',
        predicted: 0,
        measured: served.length - countResponses(result, 200),
        logged: served.length - responded,
        within: 1,
        agreeWithin: 0,
      },
    ];
  },
});

/**
 * Returns the predicted number of responses. Simulates one worker behind the kernel's accept queue, which holds one connection more than
 * its length. A full queue drops connection attempts, and the client's kernel retries after its pauses until the time-out.
 */
function predictResponses(serviceSeconds: number, perSecond: number): number {
  const attempts = Array.from({ length: Math.round(perSecond * SECONDS) }, (_, index) => (index + 0.5) / perSecond)
    .flatMap((came) => retriesAfter().map((pause) => ({ came, at: came + pause })))
    .toSorted((one, other) => one.at - other.at);
  const taken = new Set<number>();
  const begins: number[] = [];
  let freeAt = 0;
  let responded = 0;
  for (const { came, at } of attempts) {
    const waiting = begins.filter((begin) => begin > at).length;
    if (taken.has(came) || waiting > BACKLOG) continue;
    taken.add(came);
    const begin = Math.max(at, freeAt);
    begins.push(begin);
    freeAt = begin + serviceSeconds;
    if (freeAt <= came + PATIENCE_SECONDS) responded += 1;
  }
  return responded;
}

/**
 * Returns the times of connection attempts until the time-out, in seconds. Since version 6.5, Linux first retries several times at
 * intervals of a second, and then after 1, 2, 4 … seconds.
 */
function retriesAfter(): number[] {
  const times = [0];
  const even = evenRetries();
  for (let at = 1, pause = 1; at < PATIENCE_SECONDS; at += pause) {
    times.push(at);
    if (times.length > even + 1) pause *= 2;
  }
  return times;
}

function evenRetries(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/tcp_syn_linear_timeouts', 'utf8'));
  } catch {
    return 0;
  }
}
