import { exactFigure } from '../framework/figure.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { meanTime } from './contestant.ts';

export const slowClients = story({
  id: 'contest/slow-clients',
  statement: 'Clients on bad lines hold their connections for long: a server that takes many at a time responds to all others as before.',
  owner: 'measure',
  usualSeconds: 6,
  needs: [],
  draw: (dice) => ({ clients: dice.whole(30, 60), requests: dice.step(200, 280, 20), serviceMs: dice.step(150, 250, 10) }),
  async play(scene, { clients, requests, serviceMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': scene.hidden(serviceMs), 'slow-clients': clients });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '?quick'),
      load: { model: 'connections', stages: [{ connections: 14, requests }] },
    });
    await lab.stop();
    const lines = await lab.lines('contest', ({ path }) => path === '/?quick');
    return [
      exactFigure('responded', requests, countResponses(result, 200), countWithStatus(lines, 200)),
      meanTime(serviceMs, result, lines),
    ];
  },
});
