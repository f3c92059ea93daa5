import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, loggedPercentile, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { predictInTime, isPredictable, isForPage, SCALE } from './lab.ts';

export const timeoutLaw = story({
  id: 'node-vs-gunicorn/timeout-law',
  statement:
    'gunicorn responds to only as many as fit into the patience of the proxy, for it serves the dead ones too; all others are 504.',
  owner: 'measure',
  usualSeconds: 15,
  needs: ['nginx', 'python'],
  draw(dice) {
    for (;;) {
      const serviceMs = dice.step(4_200, 5_600, 100);
      const maxMs = dice.step(60_000, 66_000, 1_000);
      const perSecond = dice.whole(25, 40);
      const count = predictInTime(serviceMs / SCALE / 1_000, perSecond, maxMs / SCALE / 1_000);
      if (isPredictable(count)) return { serviceMs, maxMs, perSecond };
    }
  },
  async play(scene, { serviceMs, maxMs, perSecond }) {
    const seconds = 3;
    const lab = await scene.lab('node-vs-gunicorn', {
      scale: SCALE,
      'service-ms': scene.hidden(serviceMs),
      'proxy-timeout-ms': maxMs,
      replicas: 1,
    });
    const result = await scene.run({
      ...oneStepPlan(lab.address('gunicorn'), 'timeout'),
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds }] },
    });
    const sentCount = perSecond * seconds;
    const lines = await lab.linesWhen(sentCount, 'nginx', isForPage('/gunicorn/timeout'));
    const served = await lab.lines('gunicorn');
    const inTime = Math.floor(predictInTime(serviceMs / SCALE / 1_000, perSecond, maxMs / SCALE / 1_000));
    return [
      exactFigure('sent', sentCount, result.outcomes.requests.sent, lines.length),
      {
        name: 'responded in time',
        unit: '',
        predicted: inTime,
        measured: countResponses(result, 200),
        logged: countWithStatus(lines, 200),
        within: 1,
        agreeWithin: 0,
      },
      exactFigure('findings of the proxy’s time limit', 1, findFindings(result, 'proxyTimeout').length, null),
      equalFigure('504', countResponses(result, 504), countWithStatus(lines, 504)),
      {
        name: 'time of a 504',
        unit: 'ms',
        predicted: maxMs / SCALE,
        measured: knownMs(result.latencyByStatusClass['5xx']?.p50 ?? null),
        logged: loggedPercentile(
          lines.filter(({ status }) => status === 504),
          50,
        ),
        within: (0.02 * maxMs) / SCALE,
      },
      {
        name: 'service time',
        unit: 'ms',
        predicted: serviceMs / SCALE,
        measured: knownMs(result.latency.service.min),
        logged: loggedPercentile(served, 50),
        within: 0.08 * (serviceMs / SCALE),
      },
    ];
  },
});
