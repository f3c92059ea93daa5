import { checkMachine } from '../framework/checked.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, figureOf, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const FIRST_PORT = 20_000;
const PER_SECOND = 100;
const REUSE = '/proc/sys/net/ipv4/tcp_tw_reuse';

export const stallPredicted = story({
  id: 'contest/stall-predicted',
  statement: 'When ports will run out, told before the run, and which hop used them.',
  owner: 'conclusions',
  usualSeconds: 14,
  needs: ['namespace'],
  draw: (dice) => ({ ports: dice.step(400, 540, 20) }),
  network: ({ ports }, hidden) => `echo 0 > ${REUSE}
echo "${FIRST_PORT} ${FIRST_PORT + hidden(ports) - 1}" > /proc/sys/net/ipv4/ip_local_port_range`,
  async play(scene, { ports }) {
    const requests = ports + 2 * PER_SECOND;
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': 0, 'connect-per-request': true });
    const plan = {
      ...oneStepPlan(lab.urls[0] ?? '', '?asked'),
      load: { model: 'arrivals' as const, stages: [{ kind: 'constant' as const, perSecond: PER_SECOND, seconds: requests / PER_SECOND }] },
    };
    const reportedValue = (await checkMachine(scene, plan, 'target')).find(({ id }) => id === 'ephemeralPorts')?.stallsAtSecond ?? null;
    const result = await scene.run(plan);
    const lines = await lab.linesWhen(requests, 'contest', ({ path }) => path === '/?asked');
    const [hop, ...others] = findFindings(result, 'hopPorts');
    const second = ports / PER_SECOND;
    return [
      equalFigure('responded', countResponses(result, 200), countWithStatus(lines, 200)),
      equalFigure('failed', countResponses(result, 500), countWithStatus(lines, 500)),
      { name: 'told before the run', unit: 's', predicted: second, measured: reportedValue, logged: null, within: 0.03 * second },
      {
        name: 'the first failure',
        unit: 's',
        predicted: second,
        measured: result.windows.find(({ failed }) => failed > 0)?.second ?? null,
        logged: null,
        within: 1.6,
      },
      exactFigure('findings that name the hop', 1, hop === undefined ? 0 : 1 + others.length, null),
      // The load keeps its own connections. The ports that wait belong to the server behind the target, and can be seen at either end.
      {
        name: 'ports that waited, as it says',
        unit: '',
        predicted: ports,
        measured: figureOf(hop, 'Max ports in TIME_WAIT'),
        logged: null,
        within: 0.5 * ports,
      },
      exactFigure('findings that blame this computer', 0, findFindings(result, 'portsExhausted').length, null),
    ];
  },
});
