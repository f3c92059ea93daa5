import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const FIRST_PORT = 20_000;
const PER_SECOND = 100;
const REUSE = '/proc/sys/net/ipv4/tcp_tw_reuse';
/** Time in ms after which the kernel reuses a waiting port. */
const REUSE_DELAY_MS = 1_500;

export const portExhaustion = story({
  id: 'contest/port-exhaustion',
  statement:
    'A server that opens and closes a connection to the inside for each request stalls when its ports all wait; reusing them cures it.',
  owner: 'measure',
  usualSeconds: 15,
  needs: ['namespace'],
  draw: (dice) => ({ ports: dice.step(300, 440, 20) }),
  network: ({ ports }, hidden) => `echo 0 > ${REUSE}
echo "${FIRST_PORT} ${FIRST_PORT + hidden(ports) - 1}" > /proc/sys/net/ipv4/ip_local_port_range`,
  async play(scene, { ports }) {
    const requests = ports + PER_SECOND;
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': 0, 'connect-per-request': true });
    const load = { model: 'arrivals' as const, stages: [{ kind: 'count' as const, arrivals: requests, seconds: requests / PER_SECOND }] };
    const stalled = await scene.run({ ...oneStepPlan(lab.urls[0] ?? '', '?waiting'), load });
    await writeFile(REUSE, '1');
    await sleep(REUSE_DELAY_MS);
    const cured = await scene.run({ ...oneStepPlan(lab.urls[0] ?? '', '?reusing'), load });
    await lab.stop();
    const waitingRequests = await lab.lines('contest', ({ path }) => path === '/?waiting');
    const reusing = await lab.lines('contest', ({ path }) => path === '/?reusing');
    // The tolerance is for ports on which the practice server itself listens, and for the load's own connections.
    const within = 8;
    const good = countResponses(stalled, 200);
    return [
      equalFigure('500', countResponses(stalled, 500), countWithStatus(waitingRequests, 500)),
      {
        name: 'responded before',
        unit: '',
        predicted: ports,
        measured: good,
        logged: countWithStatus(waitingRequests, 200),
        within,
        agreeWithin: 0,
      },
      {
        name: 'stalls after',
        unit: 's',
        predicted: ports / PER_SECOND,
        measured: stalled.windows.find(({ failed }) => failed > 0)?.second ?? null,
        logged: null,
        within: 1,
      },
      exactFigure('findings that name the hop', 1, findFindings(stalled, 'hopPorts').length, null),
      exactFigure('the same when they are reused', 0, findFindings(cured, 'hopPorts').length, null),
      exactFigure('responded when they are reused', requests, countResponses(cured, 200), countWithStatus(reusing, 200)),
    ];
  },
});
