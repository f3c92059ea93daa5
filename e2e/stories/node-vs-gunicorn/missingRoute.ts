import { exactFigure } from '../framework/figure.ts';
import { countResponses, findFindings, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage } from './lab.ts';

export const missingRoute = story({
  id: 'node-vs-gunicorn/missing-after',
  statement: 'From one request on the page is missing: quick 404, while the server has nothing to do.',
  owner: 'measure',
  usualSeconds: 6,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ missingAfter: dice.whole(60, 120), requests: dice.whole(200, 300) }),
  async play(scene, { missingAfter, requests }) {
    const lab = await scene.lab('node-vs-gunicorn', { 'missing-after': scene.hidden(missingAfter), replicas: 1 });
    const result = await scene.run({
      ...oneStepPlan(lab.address('Node'), 'ping'),
      load: { model: 'connections', stages: [{ connections: 4, requests }] },
    });
    const lines = await lab.linesWhen(requests, 'nginx', isForPage('/node/ping'));
    const missingLines = lines.filter(({ status }) => status === 404);
    return [
      exactFigure('before it is missing', missingAfter, countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure('404', requests - missingAfter, countResponses(result, 404), missingLines.length),
      exactFigure('findings that call it a missing page', 1, findFindings(result, 'missingRoute').length, null),
      {
        name: 'mean time of a 404',
        unit: 'ms',
        predicted: null,
        measured: knownMs(result.latencyByStatusClass['4xx']?.mean ?? null),
        logged: missingLines.reduce((sum, line) => sum + line.ms, 0) / missingLines.length,
        within: 20,
      },
    ];
  },
});
