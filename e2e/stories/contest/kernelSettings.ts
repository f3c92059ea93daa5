import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { RunResult } from '#core/result/schema.ts';
import { checkMachine } from '../framework/checked.ts';
import { exactFigure } from '../framework/figure.ts';
import { oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const FIRST_PORT = 20_000;
const PORTS = 2_048;
const SETTINGS = '/proc/sys/net/ipv4';
/**
 * Durations of the two loads in seconds: the load that exhausts the ports, which takes five seconds, and the load after the kernel was
 * allowed to reuse ports. A busy computer lists waiting sockets only every five to ten seconds.
 */
const STALLED_SECONDS = 12;
const CURED_SECONDS = 7;
/** Time in ms after which the kernel reuses a waiting port. */
const REUSE_DELAY_MS = 1_500;

export const kernelSettings = story({
  id: 'contest/kernel-settings',
  statement: 'What the kernel does with closed connections, and what no longer exists.',
  owner: 'hosts',
  usualSeconds: 29,
  needs: ['namespace'],
  draw: (dice) => ({ perSecond: dice.step(370, 430, 10) }),
  // This setting is believed to free ports sooner. It is low here, but it frees none.
  network: (_, hidden) => `echo 0 > ${SETTINGS}/tcp_tw_reuse
echo 10 > ${SETTINGS}/tcp_fin_timeout
echo "${FIRST_PORT} ${FIRST_PORT + hidden(PORTS) - 1}" > ${SETTINGS}/ip_local_port_range`,
  async play(scene, { perSecond }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': 0 });
    const url = lab.urls[0] ?? '';
    const plan = (path: string, seconds: number) => ({
      ...oneStepPlan(url, path),
      connections: { reuse: 'journey' as const },
      load: { model: 'arrivals' as const, stages: [{ kind: 'constant' as const, perSecond, seconds }] },
    });
    const before = await checkMachine(scene, plan('?waiting', STALLED_SECONDS));
    const stalled = await scene.run(plan('?waiting', STALLED_SECONDS));
    await writeFile(`${SETTINGS}/tcp_tw_reuse`, '1');
    await sleep(REUSE_DELAY_MS);
    const after = await checkMachine(scene, plan('?reusing', CURED_SECONDS));
    const cured = await scene.run(plan('?reusing', CURED_SECONDS));
    await lab.stop();
    const lines = await lab.lines('contest', ({ path }) => path === '/?waiting');
    const reused = await lab.lines('contest', ({ path }) => path === '/?reusing');
    const second = PORTS / perSecond;
    return [
      { name: 'the check says', unit: 's', predicted: second, measured: stallIn(before), logged: null, within: 0.02 * second },
      // Arrivals start in order, so all earlier arrivals were due before the first one that got no port.
      {
        name: 'first without a port',
        unit: 's',
        predicted: second,
        measured: stalled.outcomes.requests.noPort === 0 ? null : stalled.outcomes.requests.ok / perSecond,
        logged: null,
        within: 0.1 * second,
      },
      // The tolerance is for ports on which the practice server itself listens.
      {
        name: 'responded before',
        unit: '',
        predicted: PORTS,
        measured: stalled.outcomes.requests.ok,
        logged: lines.length,
        within: 20,
        agreeWithin: 0,
      },
      // The live view counts all sockets each second, but lists their owners less often, because listing is expensive. The last list may
      // therefore be some seconds old.
      {
        name: 'TIME_WAIT in all',
        unit: '',
        predicted: PORTS,
        measured: findHighest(stalled, 'timeWait.all'),
        logged: null,
        within: 0.1 * PORTS,
      },
      {
        name: 'TIME_WAIT at the connecting end',
        unit: '',
        predicted: 0.75 * PORTS,
        measured: findHighest(stalled, 'timeWait.connecting'),
        logged: null,
        within: 0.35 * PORTS,
      },
      {
        name: 'TIME_WAIT at the accepting end',
        unit: '',
        predicted: 0,
        measured: findHighest(stalled, 'timeWait.accepting'),
        logged: null,
        within: 0,
      },
      exactFigure('stalls told when they are reused', 0, after.filter(({ stallsAtSecond }) => stallsAtSecond !== undefined).length, null),
      exactFigure('responded when they are reused', perSecond * CURED_SECONDS, cured.outcomes.requests.ok, reused.length),
      exactFigure(
        'settings that no longer exist',
        1,
        before.filter(({ title }) => title === 'tcp_tw_recycle no longer exists').length,
        null,
      ),
      exactFigure('changed without effect', 1, before.filter(({ id, level }) => id === 'finTimeout' && level === 'info').length, null),
    ];
  },
});

/** Returns the highest value of a quantity that was measured on the load generator. */
function findHighest({ monitors }: RunResult, key: string): number | null {
  const values = (monitors[0]?.values[key] ?? []).flatMap((value) => (value === null ? [] : [value]));
  return values.length === 0 ? null : Math.max(...values);
}

function stallIn(findings: readonly CheckFinding[]): number | null {
  return findings.find(({ id }) => id === 'ephemeralPorts')?.stallsAtSecond ?? null;
}
