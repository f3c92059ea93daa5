import { exactFigure, equalFigure } from '../framework/figure.ts';
import { findFindings, oneConnectionPerUserPlan, figureOf, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

/** Number of files that nginx itself opens: logs, the listening socket, channels, and the upstream connection for a request. */
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
      ...oneConnectionPerUserPlan(lab.address('Node'), 'ping'),
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: users, seconds: users / PER_SECOND }] },
    });
    const lines = await lab.lines('nginx', isForPage('/node/ping'));
    const { ok, httpError } = result.outcomes.requests;
    const [explained] = findFindings(result, 'proxySlots');
    return [
      {
        name: 'responded',
        unit: '',
        predicted: descriptors - NGINX_OPEN_FILES,
        measured: ok,
        logged: countWithStatus(lines, 200),
        within: 4,
        agreeWithin: 0,
      },
      exactFigure('findings that explain it', 1, explained === undefined ? 0 : 1, null),
      {
        name: 'slots that it tells',
        unit: '',
        predicted: descriptors - NGINX_OPEN_FILES,
        measured: figureOf(explained, 'Successful responses before the first refusal'),
        logged: countWithStatus(lines, 200),
        within: 4,
      },
      equalFigure('500', httpError, countWithStatus(lines, 500)),
    ];
  },
});
