import { exactly, same } from '../framework/figure.ts';
import { concluded, connectionEach, numberIn, withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { ofPage, SCALE } from './lab.ts';

/** Open files of nginx itself: logs, its listening socket, its channels; and the upstream connection of a request. */
const NGINX_OPEN_FILES = 10;
const PER_SECOND = 60;

export const slots = story({
  id: 'node-vs-gunicorn/slots',
  statement: 'Visitors who keep their connection use up the files of the proxy: then a trivial page returns 500.',
  owner: 'measure',
  usualSeconds: 11,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ descriptors: dice.step(160, 240, 10) }),
  async play(scene, { descriptors }) {
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, descriptors: scene.hidden(descriptors), replicas: 1 });
    const users = Math.round(descriptors * 1.4);
    const result = await scene.run({
      ...connectionEach(lab.address('Node'), 'ping'),
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: users, seconds: users / PER_SECOND }] },
    });
    const lines = await lab.lines('nginx', ofPage('/node/ping'));
    const { ok, httpError } = result.outcomes.requests;
    const [explained] = concluded(result, 'proxySlots');
    return [
      {
        name: 'responded',
        unit: '',
        predicted: descriptors - NGINX_OPEN_FILES,
        measured: ok,
        logged: withStatus(lines, 200),
        within: 4,
        agreeWithin: 0,
      },
      exactly('findings that explain it', 1, explained === undefined ? 0 : 1, null),
      {
        name: 'slots that it tells',
        unit: '',
        predicted: descriptors - NGINX_OPEN_FILES,
        measured: numberIn(explained, 'Successful responses before the first refusal'),
        logged: withStatus(lines, 200),
        within: 4,
      },
      same('500', httpError, withStatus(lines, 500)),
    ];
  },
});
