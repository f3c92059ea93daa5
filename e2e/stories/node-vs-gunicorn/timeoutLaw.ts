import { exactly, same } from '../framework/figure.ts';
import { countResponses, concluded, loggedPercentile, ms, oneStep, withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { respondedInTime, isClear, ofPage, SCALE } from './lab.ts';

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
      const count = respondedInTime(serviceMs / SCALE / 1_000, perSecond, maxMs / SCALE / 1_000);
      if (isClear(count)) return { serviceMs, maxMs, perSecond };
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
      ...oneStep(lab.address('gunicorn'), 'timeout'),
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds }] },
    });
    const sent = perSecond * seconds;
    const lines = await lab.linesWhen(sent, 'nginx', ofPage('/gunicorn/timeout'));
    const served = await lab.lines('gunicorn');
    const inTime = Math.floor(respondedInTime(serviceMs / SCALE / 1_000, perSecond, maxMs / SCALE / 1_000));
    return [
      exactly('sent', sent, result.outcomes.requests.sent, lines.length),
      {
        name: 'responded in time',
        unit: '',
        predicted: inTime,
        measured: countResponses(result, 200),
        logged: withStatus(lines, 200),
        within: 1,
        agreeWithin: 0,
      },
      exactly('findings of the proxy’s time limit', 1, concluded(result, 'proxyTimeout').length, null),
      same('504', countResponses(result, 504), withStatus(lines, 504)),
      {
        name: 'time of a 504',
        unit: 'ms',
        predicted: maxMs / SCALE,
        measured: ms(result.latencyByStatusClass['5xx']?.p50 ?? null),
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
        measured: ms(result.latency.service.min),
        logged: loggedPercentile(served, 50),
        within: 0.08 * (serviceMs / SCALE),
      },
    ];
  },
});
