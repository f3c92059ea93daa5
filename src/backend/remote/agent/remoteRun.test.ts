import { expect, it } from 'vitest';
import type { FromAgent } from '#contract/agent/frames.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { MAX_COMPARED_ITEMS } from '#core/plan/schema/populate.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { encodeWindow } from '#core/measurement/windowCodec.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { unknownReading } from '#core/result/readings.ts';
import type { ConnectionWatch } from './agentProcess.ts';
import { beginRemoteRun, type RunningAgent } from './remoteRun.ts';

const STARTED: FromAgent = {
  type: 'started',
  threads: 1,
  engine: 'native',
  engineVersion: '1',
  sharesMachineWithTarget: false,
  keptAwake: null,
  door: '/tmp/door',
};

it('a remote run reports when, in seconds of the load, the connection was lost and came back, and promises no reconnect', async () => {
  const listeners: ((frame: FromAgent) => void)[] = [];
  const watches: ConnectionWatch[] = [];
  const agent: RunningAgent = {
    label: 'there',
    send: () => {},
    async waitFor(_limitSeconds, wanted) {
      const found = wanted(STARTED);
      if (found === null) throw new Error('A run waits for its start first.');
      return found;
    },
    listen: (onMessage) => void listeners.push(onMessage),
    onLost: () => {},
    allowReconnect: (_door, _graceSeconds, watch) => void watches.push(watch),
  };
  const job = buildJob(['http://127.0.0.1:9/'], { load: { model: 'connections', stages: [{ connections: 1, seconds: 60 }] } });
  const startedPendingRun = await beginRemoteRun(agent, job);
  const events: RunEvent[] = [];
  const sent: unknown[] = [];
  startedPendingRun.attach({
    onWindow: () => {},
    onEvent: (event) => void events.push(event),
    onStage: () => {},
    onDraining: () => {},
    onItems: (count, items) => void sent.push([count, items.length]),
  });
  for (const second of [0, 1, 2]) {
    const bytes = Buffer.from(encodeWindow(emptyWindow(second, 1))).toString('base64');
    for (const say of listeners) say({ type: 'window', bytes, reading: unknownReading(second) });
  }
  const many = Array.from({ length: MAX_COMPARED_ITEMS }, () => 'order');
  for (const markers of [['a', 'b'], many]) {
    const items = markers.map((marker) => ({ marker, person: 0, isAcknowledged: true }));
    for (const say of listeners) say({ type: 'items', count: 0, items });
  }
  expect(sent).toEqual([
    [0, 2],
    [0, MAX_COMPARED_ITEMS - 1],
  ]);
  const problem = new HoldfastError({ code: 'HOST_LOST', message: 'The connection to there was lost.', hint: '' });
  for (const watch of watches) {
    watch.onAway(problem, 30);
    watch.onBack(7.2);
  }
  expect(events).toEqual([
    {
      second: 3,
      kind: 'connectionLost',
      text: 'The connection to there was lost. The load continues there. Holdfast tries to reconnect for up to 30 s.',
    },
    { second: 10, kind: 'connectionBack', text: 'there is connected again after 7.2 s. Its measurements from this time follow.' },
  ]);
});
