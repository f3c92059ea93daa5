import type { LoggedRequest } from '#lab/readLog.ts';
import { exactFigure } from '../framework/figure.ts';
import { listAlarms, countResponses, loggedPercentile, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

const SECONDS = 4;

export const pending = story({
  id: 'node-vs-gunicorn/pending',
  statement: 'Node waits for all at once: times stay flat, and as many are on their way as arrive during one of them.',
  owner: 'measure',
  usualSeconds: 14,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(4_500, 5_500, 100), rates: [dice.step(50, 70, 5), dice.step(100, 140, 10)] as const }),
  async play(scene, { serviceMs, rates }) {
    const service = serviceMs / SCALE;
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, 'service-ms': scene.hidden(serviceMs), replicas: 1 });
    const result = await scene.run({
      ...oneStepPlan(lab.address('Node'), 'timeout'),
      load: { model: 'arrivals', stages: rates.map((perSecond) => ({ kind: 'constant' as const, perSecond, seconds: SECONDS })) },
    });
    const sentCount = rates.reduce((sum, rate) => sum + rate * SECONDS, 0);
    const lines = await lab.linesWhen(sentCount, 'nginx', isForPage('/node/timeout'));
    const begin = Math.min(...lines.map(({ startedAtMs }) => startedAtMs));
    return [
      exactFigure('warnings', 0, listAlarms(result).length, null),
      exactFigure('responded', sentCount, countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: 'median',
        unit: 'ms',
        predicted: service,
        measured: knownMs(result.latency.service.p50),
        logged: loggedPercentile(lines, 50),
        within: 0.06 * service,
      },
      ...rates.map((rate, index) => {
        const expected = (rate * service) / 1_000;
        // These are the last seconds of the stage, which has then been running for longer than a response takes.
        const seconds = [(index + 1) * SECONDS - 2, (index + 1) * SECONDS - 1];
        return {
          name: `on their way at ${rate}/s`,
          unit: '',
          predicted: expected,
          measured: mean(seconds.map((second) => result.windows.find((point) => point.second === second - 1)?.inFlight ?? NaN)),
          logged: mean(seconds.map((second) => countInFlight(lines, begin + second * 1_000))),
          within: 0.13 * expected,
        };
      }),
    ];
  },
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function countInFlight(lines: readonly LoggedRequest[], atMs: number): number {
  return lines.filter(({ startedAtMs, endedAtMs }) => startedAtMs <= atMs && atMs < endedAtMs).length;
}
