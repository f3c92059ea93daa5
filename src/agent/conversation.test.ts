import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_PROTOCOL, type LineFromAgent, type LineToAgent } from '#contract/agent/frames.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { loadWorkerEntry } from '#tools/testing/threads.ts';
import { Conversation, type Link } from './conversation.ts';

class RecordingLink implements Link {
  readonly lines: LineFromAgent[] = [];
  isClosed = false;
  send(line: LineFromAgent): void {
    this.lines.push(line);
  }
  close(): void {
    this.isClosed = true;
  }
}

let first: RecordingLink;
let conversation: Conversation;
let ended: Promise<void>;
let isEnded: boolean;

beforeEach(() => {
  first = new RecordingLink();
  const { promise, resolve } = Promise.withResolvers<void>();
  ended = promise;
  isEnded = false;
  conversation = new Conversation(first, {
    workerEntry: loadWorkerEntry,
    openDoor: async () => '/door',
    onEnd() {
      isEnded = true;
      resolve();
    },
  });
});

const sendMessage = (line: LineToAgent | Record<string, unknown>, link: Link = first): void =>
  conversation.take(link, JSON.stringify(line));
const greet = (silenceSeconds?: number): void =>
  sendMessage({ type: 'hello', protocol: AGENT_PROTOCOL, ...(silenceSeconds === undefined ? {} : { silenceSeconds }) });

/** A “run” message with a target that refuses connections. */
function run(graceSeconds: number): Record<string, unknown> {
  return {
    type: 'run',
    job: {
      ...buildJob(['http://127.0.0.1:1/'], { graceSeconds, load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } }),
    },
  };
}

describe('an agent that receives a message', () => {
  it.each([
    ['text other than JSON', 'hello?', 'BAD_FRAME'],
    ['an unknown type', '{"type":"dance"}', 'BAD_FRAME'],
    ['another protocol', '{"type":"hello","protocol":99}', 'OTHER_PROTOCOL'],
    ['a message before the greeting', '{"type":"message","number":1,"message":{"type":"stop"}}', 'NOT_GREETED'],
    ['a resume before the greeting', `{"type":"resume","protocol":${AGENT_PROTOCOL},"received":0}`, 'NOT_GREETED'],
  ])('refuses %s and keeps running', (_, text, code) => {
    conversation.take(first, text);
    expect(first.lines).toMatchObject([{ type: 'refused', problem: { code } }]);
    greet();
    expect(first.lines.at(-1)).toMatchObject({ type: 'hello', protocol: AGENT_PROTOCOL, nodeVersion: process.versions.node });
    expect(isEnded).toBe(false);
  });

  it('refuses a message after a gap, and an acknowledgement for a message that was never sent', () => {
    greet();
    for (const line of [
      { type: 'message', number: 2, message: { type: 'stop' } },
      { type: 'received', number: 1 },
    ])
      sendMessage(line);
    expect(first.lines.slice(1)).toMatchObject(Array.from({ length: 2 }, () => ({ type: 'refused', problem: { code: 'BAD_FRAME' } })));
  });

  it('acts once on a repeated message, but acknowledges each repetition', () => {
    greet();
    for (const _ of [1, 2]) sendMessage({ type: 'message', number: 1, message: { type: 'clock', id: 5 } });
    expect(first.lines.slice(1)).toMatchObject([
      { type: 'message', number: 1, message: { type: 'clock', id: 5 } },
      { type: 'received', number: 1 },
      { type: 'received', number: 1 },
    ]);
  });

  it('ends after “bye”', () => {
    greet();
    sendMessage({ type: 'bye' });
    expect(isEnded).toBe(true);
  });
});

describe('an agent that receives nothing', () => {
  it('sends “alive”, and ends after the agreed period of silence', async () => {
    greet(0.1);
    await ended;
    expect(first.lines.slice(1, 3)).toEqual([{ type: 'alive' }, { type: 'alive' }]);
  });

  it('ends with its connection if it is idle', () => {
    greet();
    conversation.lose(first);
    expect(isEnded).toBe(true);
  });
});

describe('a second connection', () => {
  /** Runs a load until its end has been sent over the first connection. Nothing is acknowledged. */
  async function afterLoad(graceSeconds: number): Promise<void> {
    greet();
    for (const number of [1, 2]) sendMessage({ type: 'message', number, message: run(graceSeconds) });
    // The second load is refused.
    expect(first.lines).toContainEqual(expect.objectContaining({ message: expect.objectContaining({ type: 'refused' }) }));
    await expect.poll(() => first.lines.at(-1), { timeout: 30_000 }).toMatchObject({ message: { type: 'end' } });
  }

  it('replaces the first connection, and receives all messages that the first connection did not receive', async () => {
    await afterLoad(60);
    const all = first.lines.filter(({ type }) => type === 'message');
    const second = new RecordingLink();
    sendMessage({ type: 'received', number: 2 });
    sendMessage({ type: 'resume', protocol: AGENT_PROTOCOL, received: 1 }, second);
    expect([second.lines, first.isClosed]).toMatchObject([[{ type: 'refused', problem: { code: 'BAD_FRAME' } }], false]);
    sendMessage({ type: 'resume', protocol: AGENT_PROTOCOL, received: 2 }, second);
    expect(first.isClosed).toBe(true);
    expect(second.lines.slice(1)).toEqual([{ type: 'resumed', received: 2 }, ...all.slice(2)]);
    // Messages over the replaced connection, and its end, are ignored.
    sendMessage({ type: 'bye' }, first);
    conversation.lose(first);
    expect(isEnded).toBe(false);
    // The load is over, and all of its messages have been acknowledged.
    sendMessage({ type: 'received', number: all.length }, second);
    conversation.lose(second);
    expect(isEnded).toBe(true);
  });
});
