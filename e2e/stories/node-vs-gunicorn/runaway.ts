import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, loggedPercentile, knownMs, figureOf, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { predictInTime, isPredictable, isForPage, SCALE } from './lab.ts';

/** Load relative to the capacity of the server. */
const LOAD = 1.5;

export const runaway = story({
  id: 'node-vs-gunicorn/runaway',
  statement: 'At one and a half times what one process works off, times grow until the proxy gives up: p95 is pinned at its patience.',
  owner: 'measure',
  usualSeconds: 25,
  needs: ['nginx', 'python'],
  draw(dice) {
    for (;;) {
      const serviceMs = dice.step(4_500, 5_500, 50);
      const seconds = dice.whole(15, 17);
      const perSecond = (LOAD * 1_000 * SCALE) / serviceMs;
      if (isPredictable(predictInTime(serviceMs / SCALE / 1_000, perSecond, 6)) && isPredictable(perSecond * seconds))
        return { serviceMs, seconds };
    }
  },
  async play(scene, { serviceMs, seconds }) {
    const service = serviceMs / SCALE / 1_000;
    const perSecond = LOAD / service;
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, 'service-ms': scene.hidden(serviceMs), replicas: 1 });
    const result = await scene.run({
      ...oneStepPlan(lab.address('Node'), 'heavy'),
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds }] },
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx', isForPage('/node/heavy'));
    const sentCount = Math.floor(perSecond * seconds);
    const [unstable] = findFindings(result, 'growingQueue');
    return [
      {
        name: 'sent',
        unit: '',
        predicted: sentCount,
        measured: result.outcomes.requests.sent,
        logged: lines.length,
        within: 1,
        agreeWithin: 0,
      },
      {
        name: 'responded in time',
        unit: '',
        predicted: Math.floor(predictInTime(service, perSecond, 6)),
        measured: countResponses(result, 200),
        logged: countWithStatus(lines, 200),
        within: 3,
        agreeWithin: 0,
      },
      {
        name: 'worked off, as it concludes',
        unit: '/s',
        predicted: 1 / service,
        measured: figureOf(unstable, 'Completed'),
        logged: null,
        within: 0.1 / service,
      },
      {
        name: 'growth of the queue, as it concludes',
        unit: '/s',
        predicted: perSecond - 1 / service,
        measured: figureOf(unstable, 'Growth of the queue'),
        logged: null,
        within: 0.2 * (perSecond - 1 / service),
      },
      exactFigure('findings of the proxy’s time limit', 1, findFindings(result, 'proxyTimeout').length, null),
      equalFigure('504', countResponses(result, 504), countWithStatus(lines, 504)),
      exactFigure('responded', lines.length, countResponses(result), lines.length),
      {
        name: 'p95',
        unit: 'ms',
        predicted: 6_000,
        measured: knownMs(result.latency.service.p95),
        logged: loggedPercentile(lines, 95),
        within: 150,
      },
    ];
  },
});
