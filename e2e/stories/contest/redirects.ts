import { exactly, same } from '../framework/figure.ts';
import { countResponses, concluded, withStatus } from '../framework/readings.ts';
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
      exactly('redirects', requests, countResponses(result, 302), withStatus(lines, 302)),
      exactly('findings that say so', 1, concluded(result, 'redirectMeasured').length, null),
      same('failed', result.outcomes.requests.httpError, withStatus(lines, 302)),
      meanTime(serviceMs, result, lines),
    ];
  },
});
