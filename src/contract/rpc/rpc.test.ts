import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import type { CallName, StreamItem } from '../api.ts';
import { createClient, type Client, type StreamListener } from './client.ts';
import { portPair, type Port } from './port.ts';
import { serve, type Sink, type StreamHandlers } from './server.ts';
import { handlersWith } from './testing/handlers.ts';

type Runs = StreamItem<'runs.active'>;

const info = {
  version: '1',
  nodeVersion: '24',
  platform: 'linux',
  hostname: 'h',
  cores: 2,
  dataDirectory: '/d',
  logFile: '/l',
  notice: null,
};

function connected(own: Parameters<typeof handlersWith>[0]): { client: Client; ours: Port; theirs: Port } {
  const [ours, theirs] = portPair();
  serve(theirs, handlersWith(own));
  return { client: createClient(ours), ours, theirs };
}

/** Returns a stream handler whose sink the test controls, and a counter of readers that left. */
function heldStream(): { streams: Pick<StreamHandlers, 'runs.active'>; sink: () => Sink<Runs>; left: () => number } {
  let sink: Sink<Runs> | undefined;
  let left = 0;
  const handler: StreamHandlers['runs.active'] = (_, given) => {
    sink = given;
    return () => {
      left += 1;
    };
  };
  return {
    streams: { 'runs.active': handler },
    sink: () => {
      if (!sink) throw new Error('the stream was not opened');
      return sink;
    },
    left: () => left,
  };
}

function listening(onItem: (item: Runs) => void = () => {}): StreamListener<Runs> & { ends: (HoldfastError | undefined)[]; items: Runs[] } {
  const ends: (HoldfastError | undefined)[] = [];
  const items: Runs[] = [];
  return {
    ends,
    items,
    onItem(item) {
      items.push(item);
      onItem(item);
    },
    onEnd: (problem) => ends.push(problem),
  };
}

/** Waits until all frames in transit have arrived and taken effect. */
async function waitForMessages(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const row = (id: string): Runs => ({
  runs: [
    {
      id,
      name: 'n',
      note: '',
      preset: null,
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: null,
      state: 'running',
      endedBecause: null,
      holdfastVersion: '1',
      target: 't',
      load: null,
      outcome: null,
      sentence: null,
      requests: 0,
      completedPerSecond: null,
      p95Ms: null,
      sparkline: [],
    },
  ],
});

describe('calls', () => {
  it('return the output of their method', async () => {
    const { client } = connected({ calls: { 'app.info': () => info } });
    expect(await client.call('app.info', {})).toEqual(info);
  });

  it.each(['nowhere', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])('reject “%s” with NOT_FOUND', async (name) => {
    const { client } = connected({});
    await expect(client.call(name as CallName, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reject invalid input with BAD_INPUT and every issue, without calling the handler', async () => {
    const { client } = connected({});
    const problem = await client.call('runs.rename', { runId: '', name: ' ', more: 1 } as never).catch((thrown: unknown) => thrown);
    expect(problem).toMatchObject({ code: 'BAD_INPUT' });
    const { data } = problem as HoldfastError;
    expect((data as { issues: { path: string }[] }).issues.map(({ path }) => path).sort()).toEqual(['', 'name', 'runId']);
  });

  it('pass on a HoldfastError of the handler, and report other errors as INTERNAL', async () => {
    const problem = { code: 'DISK_FULL', message: 'm', hint: 'h', data: { bytes: 1 } };
    const { client } = connected({
      calls: {
        'presets.list': () => Promise.reject(new HoldfastError(problem)),
        'lab.list': () => {
          throw new TypeError('x is undefined');
        },
      },
    });
    await expect(client.call('presets.list', {})).rejects.toMatchObject(problem);
    await expect(client.call('lab.list', {})).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('x is undefined') as string,
    });
  });

  it('reject invalid output with BAD_OUTPUT', async () => {
    const { client } = connected({ calls: { 'app.info': () => ({ ...info, cores: 1.5 }) } });
    await expect(client.call('app.info', {})).rejects.toMatchObject({ code: 'BAD_OUTPUT' });
  });

  it('reject if the output cannot be written as JSON', async () => {
    const { client } = connected({ calls: { 'lab.list': () => [1n] as never } });
    await expect(client.call('lab.list', {})).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('reject if the input cannot be written as JSON or the port throws', async () => {
    const { client, ours } = connected({});
    await expect(client.call('lab.start', { name: 1n } as never)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    ours.send = () => {
      throw new Error('socket is not open');
    };
    await expect(client.call('app.info', {})).rejects.toMatchObject({ code: 'GONE' });
  });

  it('do not block each other', async () => {
    const { client } = connected({ calls: { 'app.info': () => info, 'lab.list': () => new Promise(() => {}) } });
    const never = client.call('lab.list', {});
    expect(await client.call('app.info', {})).toEqual(info);
    client.close();
    await expect(never).rejects.toMatchObject({ code: 'GONE' });
  });
});

describe('closing a connection', () => {
  it.each(['ours', 'theirs'] as const)('at our end or at theirs (%s) ends every pending call and stream with GONE, once', async (end) => {
    const held = heldStream();
    const connection = connected({ calls: { 'app.info': () => new Promise(() => {}) }, streams: held.streams });
    const listener = listening();
    const pending = [connection.client.call('app.info', {}), connection.client.call('app.info', {})];
    connection.client.open('runs.active', {}, listener);
    await waitForMessages();
    connection[end].close();
    connection[end].close();
    for (const call of pending) await expect(call).rejects.toMatchObject({ code: 'GONE' });
    expect(listener.ends.map((problem) => problem?.code)).toEqual(['GONE']);
    expect(held.left()).toBe(1);
    await expect(connection.client.call('app.info', {})).rejects.toMatchObject({ code: 'GONE' });
    const late = listening();
    connection.client.open('runs.active', {}, late);
    expect(late.ends.map((problem) => problem?.code)).toEqual(['GONE']);
  });
});

describe('streams', () => {
  it('merge items for a slow reader: one in transit, one waiting, the latest state kept', async () => {
    const held = heldStream();
    const [ours, theirs] = portPair();
    serve(theirs, handlersWith({ streams: held.streams }));
    const items: string[] = [];
    ours.onFrame((text) => items.push(text));
    ours.send(JSON.stringify({ type: 'open', id: 1, stream: 'runs.active', input: {} }));
    await waitForMessages();
    for (const id of ['a', 'b', 'c', 'd']) held.sink().item(row(id));
    await waitForMessages();
    const ids = (): string[] => items.map((text) => (JSON.parse(text) as { item: Runs }).item.runs[0]?.id ?? '');
    expect(ids()).toEqual(['a']);
    ours.send(JSON.stringify({ type: 'ready', id: 1 }));
    await waitForMessages();
    expect(ids()).toEqual(['a', 'd']);
  });

  it('deliver the waiting item before their end, and nothing after it', async () => {
    const held = heldStream();
    const { client } = connected({ streams: held.streams });
    const listener = listening();
    client.open('runs.active', {}, listener);
    await waitForMessages();
    held.sink().item(row('a'));
    held.sink().item(row('b'));
    held.sink().end();
    held.sink().item(row('late'));
    held.sink().end({ code: 'LATE', message: '', hint: '' });
    await waitForMessages();
    expect(listener.items.map(({ runs }) => runs[0]?.id)).toEqual(['a', 'b']);
    expect(listener.ends).toEqual([undefined]);
  });

  it('notify the handler once when their reader closes them, and then send nothing', async () => {
    const held = heldStream();
    const { client, ours } = connected({ streams: held.streams });
    const listener = listening();
    const close = client.open('runs.active', {}, listener);
    await waitForMessages();
    held.sink().item(row('a'));
    close();
    close();
    await waitForMessages();
    held.sink().item(row('b'));
    held.sink().end();
    ours.close();
    await waitForMessages();
    expect([listener.items, listener.ends, held.left()]).toEqual([[], [], 1]);
  });

  it.each(['nowhere', 'constructor', '__proto__'])('end “%s” with NOT_FOUND', async (name) => {
    const { client } = connected({});
    const listener = listening();
    client.open(name as 'runs.active', {}, listener);
    await waitForMessages();
    expect(listener.ends.map((problem) => problem?.code)).toEqual(['NOT_FOUND']);
  });

  it('end with BAD_INPUT for invalid input, and with the problem of a throwing handler', async () => {
    const { client } = connected({
      streams: {
        'runs.active': () => {
          throw new HoldfastError({ code: 'BUSY', message: '', hint: '' });
        },
      },
    });
    const [bad, busy] = [listening(), listening()];
    client.open('runs.active', { no: 1 } as never, bad);
    client.open('runs.active', {}, busy);
    await waitForMessages();
    expect([...bad.ends, ...busy.ends].map((problem) => problem?.code)).toEqual(['BAD_INPUT', 'BUSY']);
  });

  it('end with BAD_OUTPUT for an invalid item, and notify the handler', async () => {
    const held = heldStream();
    const { client } = connected({ streams: held.streams });
    const listener = listening();
    client.open('runs.active', {}, listener);
    await waitForMessages();
    held.sink().item({ runs: [{ id: 1 }] } as never);
    await waitForMessages();
    expect(listener.ends.map((problem) => problem?.code)).toEqual(['BAD_OUTPUT']);
    expect(held.left()).toBe(1);
  });

  it('keep their first reader if an id is opened twice', async () => {
    const held = heldStream();
    const [ours, theirs] = portPair();
    let opened = 0;
    serve(
      theirs,
      handlersWith({
        streams: {
          'runs.active': (input, sink) => {
            opened += 1;
            return held.streams['runs.active'](input, sink);
          },
        },
      }),
    );
    for (let time = 0; time < 2; time += 1) ours.send(JSON.stringify({ type: 'open', id: 7, stream: 'runs.active', input: {} }));
    await waitForMessages();
    expect(opened).toBe(1);
  });
});

describe('an abusive caller', () => {
  /** Returns a raw end of a served connection and the frames received so far. */
  function raw(own: Parameters<typeof handlersWith>[0]) {
    const [ours, theirs] = portPair();
    serve(theirs, handlersWith(own));
    const replies: string[] = [];
    ours.onFrame((text) => replies.push(text));
    const say = (frame: unknown): void => ours.send(JSON.stringify(frame));
    const codes = () => replies.map((text) => (JSON.parse(text) as { problem?: { code: string } }).problem?.code);
    return { ours, replies, say, codes };
  }

  it('has a limited number of pending calls, gets an error for others, and may call again later', async () => {
    const held: (() => void)[] = [];
    const { say, codes, replies } = raw({ calls: { 'app.info': () => new Promise((resolve) => void held.push(() => resolve(info))) } });
    for (let id = 1; id <= 1_000; id += 1) say({ type: 'call', id, method: 'app.info', input: {} });
    await waitForMessages();
    expect(held).toHaveLength(256);
    expect(new Set(codes())).toEqual(new Set(['TOO_MUCH_AT_ONCE']));
    expect(replies).toHaveLength(1_000 - 256);
    held[0]?.();
    await waitForMessages();
    say({ type: 'call', id: 2_000, method: 'app.info', input: {} });
    await waitForMessages();
    expect(held).toHaveLength(257);
  });

  it('has a limited number of open streams', async () => {
    const held = heldStream();
    const { say, codes, ours } = raw({ streams: held.streams });
    for (let id = 1; id <= 1_000; id += 1) say({ type: 'open', id, stream: 'runs.active', input: {} });
    await waitForMessages();
    expect(codes()).toEqual(Array.from({ length: 1_000 - 256 }, () => 'TOO_MUCH_AT_ONCE'));
    say({ type: 'close', id: 1 });
    say({ type: 'open', id: 2_000, stream: 'runs.active', input: {} });
    await waitForMessages();
    expect(codes()).toHaveLength(1_000 - 256);
    ours.close();
    expect(held.left()).toBe(257);
  });

  it('gets only a few short issues for any number of mistakes', async () => {
    const { say, replies } = raw({});
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, 1]));
    say({ type: 'call', id: 1, method: 'app.info', input: keys });
    say({ type: 'call', id: 2, method: 'comparisons.make', input: { sides: Array.from({ length: 20_000 }, () => keys['key0']) } });
    say({ type: 'call', id: 3, method: 'x'.repeat(100_000), input: {} });
    await waitForMessages();
    expect(replies).toHaveLength(3);
    for (const text of replies) expect(text.length).toBeLessThan(20_000);
  });

  it('cannot change shared prototypes, or end the connection with deep or foreign keys', async () => {
    const { ours, replies } = raw({ calls: { 'app.info': () => info } });
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    ours.send('{"type":"call","id":1,"method":"app.info","input":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}');
    ours.send('{"type":"call","id":2,"method":"app.info","input":{},"__proto__":{"x":1}}');
    ours.send(`{"type":"call","id":3,"method":"runs.start","input":{"plan":${deep}}}`);
    ours.send(`{"type":"open","id":4,"stream":"runs.watch","input":${deep}}`);
    ours.send(deep);
    ours.send('{"type":"call","id":5,"method":"app.info","input":{}}');
    await waitForMessages();
    expect(replies.map((text) => (JSON.parse(text) as { id: number; type: string }).id).sort()).toEqual([1, 3, 4, 5]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('unknown frames', () => {
  it('are ignored by both ends', async () => {
    const { client, ours, theirs } = connected({ calls: { 'app.info': () => info } });
    for (const text of [
      '',
      'null',
      '[]',
      '{"type":"call"}',
      '{"type":"what","id":1}',
      '{"type":"ready","id":99}',
      '{"type":"close","id":99}',
    ]) {
      ours.send(text);
      theirs.send(text);
    }
    theirs.send(JSON.stringify({ type: 'result', id: 41, output: {} }));
    theirs.send(JSON.stringify({ type: 'item', id: 41, item: {} }));
    expect(await client.call('app.info', {})).toEqual(info);
  });
});
