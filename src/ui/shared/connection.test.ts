import { describe, expect, it } from 'vitest';
import { portPair, type Port } from '#contract/rpc/port.ts';
import { connect, type Clock } from './connection.ts';

/** Creates a clock that the test advances. */
function createTestClock() {
  let now = 0;
  let timers: { at: number; act: () => void }[] = [];
  const clock: Clock = {
    after(milliseconds, act) {
      const timer = { at: now + milliseconds, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const advance = (milliseconds: number): void => {
    now += milliseconds;
    const dueTimers = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { act } of dueTimers) act();
  };
  return { clock, pass: advance, waits: () => timers.map(({ at }) => at - now) };
}

const appInfo = {
  version: '1',
  nodeVersion: '24',
  platform: 'x',
  hostname: 'h',
  cores: 2,
  dataDirectory: '/d',
  logFile: '/l',
  notice: null,
};

/** Creates a backend that records its connections in order. `replies` decides which attempts get a response. */
function backend({ replies }: { replies: (attempt: number) => boolean }) {
  const ends: Port[] = [];
  const dial = (): Port => {
    const [here, there] = portPair();
    const attempt = ends.push(there);
    there.onFrame((text) => {
      const frame: unknown = JSON.parse(text);
      if (!replies(attempt) || typeof frame !== 'object' || frame === null || !('method' in frame) || !('id' in frame)) return;
      if (frame.method === 'app.info') there.send(JSON.stringify({ type: 'result', id: frame.id, output: appInfo }));
    });
    return here;
  };
  return { ends, dial };
}

/** Copies a port, so that a test can add properties. */
function copyPort(port: Port): Port {
  return {
    send: (frame) => port.send(frame),
    onFrame: (listener) => port.onFrame(listener),
    onClose: (listener) => port.onClose(listener),
    close: () => port.close(),
    unsentBytes: 0,
  };
}

/** Waits until in-memory ports, which deliver in microtasks, have delivered everything. */
async function deliverAll(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('connect', () => {
  it('is open only after the first response from the backend', async () => {
    const { clock } = createTestClock();
    const connection = connect(backend({ replies: () => true }).dial, clock);
    expect(connection.state).toBe('connecting');
    await deliverAll();
    expect(connection.state).toBe('open');
  });

  it('is lost when the port closes, rejects pending calls with GONE, and reconnects', async () => {
    const { clock, pass } = createTestClock();
    const { dial, ends } = backend({ replies: () => true });
    const connection = connect(dial, clock);
    await deliverAll();
    const states: string[] = [];
    connection.subscribe(() => states.push(connection.state));
    const pending = connection.call('presets.list', {}).catch((error: unknown) => error);
    ends[0]?.close();
    expect(await pending).toMatchObject({ code: 'GONE' });
    expect(connection.state).toBe('lost');
    await expect(connection.call('presets.list', {})).rejects.toMatchObject({ code: 'GONE' });
    pass(250);
    await deliverAll();
    expect(states).toEqual(['lost', 'open']);
    expect(ends).toHaveLength(2);
  });

  it('doubles the pause after each failure, up to eight seconds', async () => {
    const { clock, pass, waits } = createTestClock();
    const { dial, ends } = backend({ replies: () => false });
    connect(dial, clock);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      ends.at(-1)?.close();
      await deliverAll();
      const [pause = 0] = waits();
      pauses.push(pause);
      pass(pause);
    }
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('closes a connection that gets no response, and tries again', async () => {
    const { clock, pass } = createTestClock();
    const { dial, ends } = backend({ replies: (attempt) => attempt > 1 });
    const connection = connect(dial, clock);
    await deliverAll();
    pass(10_000);
    await deliverAll();
    pass(250);
    await deliverAll();
    expect(ends).toHaveLength(2);
    expect(connection.state).toBe('open');
  });

  it('reconnects immediately on retryNow', async () => {
    const { clock } = createTestClock();
    const { dial, ends } = backend({ replies: () => true });
    const connection = connect(dial, clock);
    await deliverAll();
    ends[0]?.close();
    connection.retryNow();
    await deliverAll();
    expect(connection.state).toBe('open');
    connection.retryNow();
    expect(ends).toHaveLength(2);
  });

  it('is refused if the backend rejects the page, and reconnects only on retryNow', async () => {
    const { clock, waits } = createTestClock();
    const { dial, ends } = backend({ replies: (attempt) => attempt > 1 });
    const connection = connect(() => ({ ...copyPort(dial()), isRefused: ends.length === 1 }), clock);
    ends[0]?.close();
    await deliverAll();
    expect([connection.state, waits()]).toEqual(['refused', []]);
    connection.retryNow();
    await deliverAll();
    expect(connection.state).toBe('open');
  });

  it('is lost rather than refused if it was open before', async () => {
    const { clock } = createTestClock();
    const { dial, ends } = backend({ replies: () => true });
    const connection = connect(() => ({ ...copyPort(dial()), isRefused: true }), clock);
    await deliverAll();
    ends[0]?.close();
    expect(connection.state).toBe('lost');
  });

  it('does not reconnect after close', async () => {
    const { clock, waits } = createTestClock();
    const { dial } = backend({ replies: () => true });
    const connection = connect(dial, clock);
    await deliverAll();
    connection.close();
    expect(waits()).toEqual([]);
  });
});
