import { exactFigure } from '../framework/figure.ts';
import { countResponses, loggedPercentile, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { startMysteries } from './mysteries.ts';

const RAMP_SECONDS = 6;
const PLATEAU_SECONDS = 4;

export const asyncMystery = story({
  id: 'node-vs-gunicorn/asynchronous-server',
  statement: 'The first unknown server: whatever the rate, every response takes the same 950 ms.',
  owner: 'measure',
  usualSeconds: 17,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ delayMs: dice.step(500, 950, 50), perSecond: dice.step(120, 150, 10) }),
  async play(scene, { delayMs, perSecond }) {
    const mysteries = await startMysteries(scene, { delayMs });
    const result = await scene.run({
      ...oneStepPlan(mysteries.asynchronous.url, '?asked'),
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'ramp', name: 'ramp', fromPerSecond: 0, toPerSecond: perSecond, seconds: RAMP_SECONDS },
          { kind: 'constant', name: 'plateau', perSecond, seconds: PLATEAU_SECONDS },
        ],
      },
    });
    const sentCount = (perSecond * RAMP_SECONDS) / 2 + perSecond * PLATEAU_SECONDS;
    await mysteries.stop();
    const lines = await mysteries.asynchronous.lines();
    const busyRequests = lines.toSorted((remainingRequest, right) => remainingRequest.startedAtMs - right.startedAtMs).slice(-perSecond);
    const [ramp, plateau] = result.stages;
    return [
      exactFigure('responded', sentCount, countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: 'median on the ramp',
        unit: 'ms',
        predicted: delayMs,
        measured: knownMs(ramp?.latency.service.p50 ?? null),
        logged: loggedPercentile(lines, 50),
        within: 0.05 * delayMs,
      },
      {
        name: 'median on the plateau',
        unit: 'ms',
        predicted: delayMs,
        measured: knownMs(plateau?.latency.service.p50 ?? null),
        logged: loggedPercentile(busyRequests, 50),
        within: 0.05 * delayMs,
      },
      {
        name: 'on their way at the end',
        unit: '',
        predicted: (perSecond * delayMs) / 1_000,
        measured: result.windows.find(({ second }) => second === RAMP_SECONDS + PLATEAU_SECONDS - 2)?.inFlight ?? null,
        logged: null,
        within: 0.08 * ((perSecond * delayMs) / 1_000),
      },
    ];
  },
});
