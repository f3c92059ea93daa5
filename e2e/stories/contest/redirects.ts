import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { DESCRIPTION, meanTime } from './contestant.ts';

export const redirects = story({
  id: 'contest/redirects',
  statement: 'Without the login cookie every description page is a redirect to the login form, and the tool measures that.',
  owner: 'measure',
  usualSeconds: 6,
  needs: [],
  draw: (dice) => ({ requests: dice.step(200, 280, 20), connections: dice.whole(12, 16), serviceMs: dice.step(150, 250, 10) }),
  async play(scene, { requests, connections, serviceMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': scene.hidden(serviceMs) });
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      journey: [{ name: 'description', path: DESCRIPTION }],
      load: { model: 'connections', stages: [{ connections, requests }] },
    });
    await lab.stop();
    const lines = await lab.lines('contest', (line) => line.path === DESCRIPTION);
    return [
      exactFigure('redirects', requests, countResponses(result, 302), countWithStatus(lines, 302)),
      exactFigure('findings that say so', 1, findFindings(result, 'redirectMeasured').length, null),
      equalFigure('failed', result.outcomes.requests.httpError, countWithStatus(lines, 302)),
      meanTime(serviceMs, result, lines),
    ];
  },
});
