import { exactFigure, equalFigure } from '../framework/figure.ts';
import { findFindings, oneConnectionPerUserPlan, loggedPercentile, knownMs, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const FIRST_PORT = 20_000;
/** Duration of the load in seconds. It is shorter than the server's keep-alive time. */
const SECONDS = 4;

export const generatorPorts = story({
  id: 'node-vs-gunicorn/generator-ports',
  statement: 'The unknown server seemed to be full; it was the generator, which kept a port for every user and had no more.',
  owner: 'measure',
  usualSeconds: 10,
  needs: ['namespace'],
  draw: (dice) => ({ ports: dice.step(400, 600, 20), serviceMs: dice.step(200, 400, 20) }),
  network: ({ ports }, hidden) => `echo "${FIRST_PORT} ${FIRST_PORT + hidden(ports) - 1}" > /proc/sys/net/ipv4/ip_local_port_range`,
  async play(scene, { ports, serviceMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': serviceMs });
    const users = Math.round(ports * 1.3);
    const result = await scene.run({
      ...oneConnectionPerUserPlan(lab.urls[0] ?? '', '?asked'),
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: users, seconds: SECONDS }] },
    });
    await lab.stop();
    const lines = await lab.lines('contest', ({ path }) => path === '/?asked');
    const { ok, noPort } = result.outcomes.requests;
    const [explained] = findFindings(result, 'portsExhausted');
    // The tolerance is for ports on which the practice server itself listens.
    const within = Math.ceil(ports / 100);
    return [
      equalFigure('responded', ok, lines.length),
      { name: 'users with a port', unit: '', predicted: ports, measured: ok, logged: lines.length, within, agreeWithin: 0 },
      equalFigure('without a port, as it concludes', figureOf(explained, 'Requests without a port') ?? NaN, noPort),
      exactFigure('findings that say the server refused', 0, findFindings(result, 'refused').length, null),
      { name: 'users without', unit: '', predicted: users - ports, measured: noPort, logged: null, within },
      {
        name: 'median of those with a response',
        unit: 'ms',
        predicted: serviceMs,
        measured: knownMs(result.latency.service.p50),
        logged: loggedPercentile(lines, 50),
        within: 0.2 * serviceMs,
      },
    ];
  },
});
