import { equalFigure } from '../framework/figure.ts';
import { countResponses, loggedPercentile, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

/**
 * Number of arrivals in the report's phases: 30 s from 5 to 15 per second, 30 s at 15, 30 s from 15 to 50, and 30 s at 50.
 * Fourteen steps of 1.96 s from 28 to 2, and 30 s at 0.1, follow.
 */
const ARRIVALS = 300 + 450 + 975 + 1_500 + 14 * 1.96 * 15 + 3;
const SLOW_BY_MS = 1_000;
const LIMIT_MS = 600;

export const ping = story({
  id: 'node-vs-gunicorn/ping-phases',
  statement: 'A trivial page by phases: ramp, plateau, steep ramp, strong plateau, steps down, a trickle; about 3,640 requests.',
  owner: 'measure',
  usualSeconds: 25,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ slowOneIn: dice.whole(25, 50) }),
  async play(scene, { slowOneIn }) {
    const lab = await scene.lab('node-vs-gunicorn', {
      scale: SCALE,
      'slow-one-in': scene.hidden(slowOneIn),
      'slow-by-ms': SLOW_BY_MS,
      replicas: 1,
    });
    const result = await scene.run({
      ...oneStepPlan(lab.address('Node'), 'ping'),
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'ramp', name: 'ramp', fromPerSecond: 50, toPerSecond: 150, seconds: 3 },
          { kind: 'constant', name: 'plateau', perSecond: 150, seconds: 3 },
          { kind: 'ramp', name: 'steep ramp', fromPerSecond: 150, toPerSecond: 500, seconds: 3 },
          { kind: 'constant', name: 'strong plateau', perSecond: 500, seconds: 3 },
          { kind: 'steps', name: 'down', fromPerSecond: 280, toPerSecond: 20, steps: 14, secondsEach: 0.196 },
          { kind: 'constant', name: 'trickle', perSecond: 1, seconds: 3 },
        ],
      },
      criteria: [{ kind: 'responseTime', percentile: 95, maxMs: LIMIT_MS }],
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', isForPage('/node/ping'));
    return [
      {
        name: 'sent',
        unit: '',
        predicted: ARRIVALS,
        measured: result.outcomes.requests.sent,
        logged: lines.length,
        within: 6,
        agreeWithin: 0,
      },
      equalFigure('200', countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: `slower than ${LIMIT_MS} ms`,
        unit: '',
        predicted: Math.floor(ARRIVALS / slowOneIn),
        measured: result.criteria.reduce((sum, { over }) => sum + (over ?? 0), 0),
        logged: lines.filter((line) => line.ms > LIMIT_MS).length,
        within: 2,
      },
      {
        name: 'median',
        unit: 'ms',
        predicted: null,
        measured: knownMs(result.latency.service.p50),
        logged: loggedPercentile(lines, 50),
        within: 10,
      },
    ];
  },
});
