import { describe, expect, it } from 'vitest';
import type { Port } from '#contract/rpc/port.ts';
import type { Relayed } from './messages.ts';
import { connections } from './parentPort.ts';

function openRelayedPort() {
  const ports: { port: Port; frames: string[]; closed: number }[] = [];
  const posted: Relayed[] = [];
  const take = connections(
    (port) => {
      const seen = { port, frames: [] as string[], closed: 0 };
      port.onFrame((frame) => seen.frames.push(frame));
      port.onClose(() => (seen.closed += 1));
      ports.push(seen);
    },
    (relayed) => posted.push(relayed),
  );
  const send = (connection: string, frame: string | null): void => take({ type: 'frame', connection, frame });
  return { ports, posted, send };
}

describe('connections of the page in the backend process', () => {
  it('begin with their first frame', () => {
    const { ports, posted, send } = openRelayedPort();
    send('one', 'a');
    send('one', 'b');
    expect(ports.map(({ frames }) => frames)).toEqual([['a', 'b']]);
    ports[0]?.port.send('answer');
    expect(posted).toEqual([{ type: 'frame', connection: 'one', frame: 'answer' }]);
  });

  it('end when the page is reloaded, and later replies to them are dropped', () => {
    const { ports, posted, send } = openRelayedPort();
    send('one', 'a');
    send('two', 'b');
    expect(ports.map(({ frames, closed }) => ({ frames, closed }))).toEqual([
      { frames: ['a'], closed: 1 },
      { frames: ['b'], closed: 0 },
    ]);
    ports[0]?.port.send('late');
    expect(posted).toEqual([]);
  });

  it('end only once, from either side', () => {
    const { ports, posted, send } = openRelayedPort();
    send('one', 'a');
    send('one', null);
    send('one', null);
    expect(ports[0]?.closed).toBe(1);
    expect(posted).toEqual([]);
    send('two', 'a');
    ports[1]?.port.close();
    ports[1]?.port.close();
    expect(ports[1]?.closed).toBe(1);
    expect(posted).toEqual([{ type: 'frame', connection: 'two', frame: null }]);
  });
});
