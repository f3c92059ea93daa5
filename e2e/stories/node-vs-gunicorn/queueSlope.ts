import { exactFigure } from '../framework/figure.ts';
import { countResponses, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

export const queueSlope = story({
  id: 'node-vs-gunicorn/queue-slope',
  statement: 'In a burst at one worker each response takes a service time longer than the one before it.',
  owner: 'measure',
  usualSeconds: 11,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(4_500, 5_500, 100), burst: dice.whole(9, 12) }),
  async play(scene, { serviceMs, burst }) {
    const lab = await scene.lab('node-vs-gunicorn', {
      scale: SCALE,
      'service-ms': scene.hidden(serviceMs),
      'proxy-timeout-ms': 2 * burst * serviceMs,
      replicas: 1,
    });
    const result = await scene.run({
      ...oneStepPlan(lab.address('gunicorn'), 'timeout'),
      load: { model: 'connections', stages: [{ connections: burst, requests: burst }] },
    });
    const lines = await lab.linesWhen(burst, 'nginx', isForPage('/gunicorn/timeout'));
    const times = lines.map((line) => line.ms);
    const scaledServiceMs = serviceMs / SCALE;
    const { min, max, mean } = result.latency.service;
    return [
      exactFigure('responded', burst, countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: 'slope by position',
        unit: 'ms',
        predicted: scaledServiceMs,
        measured: slope(knownMs(min), knownMs(max), burst),
        logged: slope(Math.min(...times), Math.max(...times), burst),
        within: 0.04 * scaledServiceMs,
      },
      {
        name: 'mean',
        unit: 'ms',
        predicted: (scaledServiceMs * (burst + 1)) / 2,
        measured: knownMs(mean),
        logged: times.reduce((sum, time) => sum + time, 0) / burst,
        within: 0.05 * ((scaledServiceMs * (burst + 1)) / 2),
      },
    ];
  },
});

function slope(min: number | null, max: number | null, burst: number): number | null {
  return min === null || max === null ? null : (max - min) / (burst - 1);
}
