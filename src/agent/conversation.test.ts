import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_PROTOCOL, type LineFromAgent, type LineToAgent } from '#contract/agent/frames.ts';
import { jobOf } from '#engine/testing/runLoad.ts';
import { loadWorkerEntry } from '#tools/testing/threads.ts';
import { Conversation, type Link } from './conversation.ts';

class KeptLink implements Link {
  readonly said: LineFromAgent[] = [];
  isClosed = false;
  send(line: LineFromAgent): void {
    this.said.push(line);
  }
  close(): void {
    this.isClosed = true;
  }
}

let first: KeptLink;
let conversation: Conversation;
let ended: Promise<void>;
let isEnded: boolean;

beforeEach(() => {
  first = new KeptLink();
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

const say = (line: LineToAgent | Record<string, unknown>, link: Link = first): void => conversation.take(link, JSON.stringify(line));
const greet = (silenceSeconds?: number): void =>
  say({ type: 'hello', protocol: AGENT_PROTOCOL, ...(silenceSeconds === undefined ? {} : { silenceSeconds }) });

/** A load for which nobody answers: it goes on until it is aborted with its conversation. */
function run(graceSeconds: number): Record<string, unknown> {
  return {
    type: 'run',
    job: { ...jobOf(['http://127.0.0.1:1/'], { graceSeconds, load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } }) },
  };
}

describe('what is said to an agent', () => {
  it.each([
    ['what is no JSON', 'hello?', 'BAD_FRAME'],
    ['what it does not know', '{"type":"dance"}', 'BAD_FRAME'],
    ['another protocol', '{"type":"hello","protocol":99}', 'OTHER_PROTOCOL'],
    ['a message before the greeting', '{"type":"message","number":1,"message":{"type":"stop"}}', 'NOT_GREETED'],
    ['to go on with what never began', `{"type":"resume","protocol":${AGENT_PROTOCOL},"heard":0}`, 'NOT_GREETED'],
  ])('is refused where it is %s, and it lives on', (_, text, code) => {
    conversation.take(first, text);
    expect(first.said).toMatchObject([{ type: 'refused', problem: { code } }]);
    greet();
    expect(first.said.at(-1)).toMatchObject({ type: 'hello', protocol: AGENT_PROTOCOL, nodeVersion: process.versions.node });
    expect(isEnded).toBe(false);
  });

  it('is refused after a gap, and where nothing was said that could have been heard', () => {
    greet();
    for (const line of [
      { type: 'message', number: 2, message: { type: 'stop' } },
      { type: 'heard', number: 1 },
    ])
      say(line);
    expect(first.said.slice(1)).toMatchObject(Array.from({ length: 2 }, () => ({ type: 'refused', problem: { code: 'BAD_FRAME' } })));
  });

  it('is followed once, however often it is said, and acknowledged each time', () => {
    greet();
    for (const _ of [1, 2]) say({ type: 'message', number: 1, message: { type: 'clock', id: 5 } });
    expect(first.said.slice(1)).toMatchObject([
      { type: 'message', number: 1, message: { type: 'clock', id: 5 } },
      { type: 'heard', number: 1 },
      { type: 'heard', number: 1 },
    ]);
  });

  it('is the end of it when it is farewell', () => {
    greet();
    say({ type: 'bye' });
    expect(isEnded).toBe(true);
  });
});

describe('an agent to which nobody speaks', () => {
  it('gives signs of life, and ends after as long as was agreed', async () => {
    greet(0.1);
    await ended;
    expect(first.said.slice(1, 3)).toEqual([{ type: 'alive' }, { type: 'alive' }]);
  });

  it('ends with its connection when it has nothing to do', () => {
    greet();
    conversation.lose(first);
    expect(isEnded).toBe(true);
  });
});

describe('a second connection', () => {
  /** Runs a load to its end, of which the first connection has told, and nobody has acknowledged it. */
  async function afterLoad(graceSeconds: number): Promise<void> {
    greet();
    for (const number of [1, 2]) say({ type: 'message', number, message: run(graceSeconds) });
    // One load at a time.
    expect(first.said).toContainEqual(expect.objectContaining({ message: expect.objectContaining({ type: 'refused' }) }));
    await expect.poll(() => first.said.at(-1), { timeout: 30_000 }).toMatchObject({ message: { type: 'end' } });
  }

  it('takes over from one that does not know yet that it is dead, and hears what that had not heard', async () => {
    await afterLoad(60);
    const all = first.said.filter(({ type }) => type === 'message');
    const second = new KeptLink();
    say({ type: 'heard', number: 2 });
    say({ type: 'resume', protocol: AGENT_PROTOCOL, heard: 1 }, second);
    expect([second.said, first.isClosed]).toMatchObject([[{ type: 'refused', problem: { code: 'BAD_FRAME' } }], false]);
    say({ type: 'resume', protocol: AGENT_PROTOCOL, heard: 2 }, second);
    expect(first.isClosed).toBe(true);
    expect(second.said.slice(1)).toEqual([{ type: 'resumed', heard: 2 }, ...all.slice(2)]);
    // What still comes over the first, and its end, mean nothing any more.
    say({ type: 'bye' }, first);
    conversation.lose(first);
    expect(isEnded).toBe(false);
    // The load is over, and everything was heard of it.
    say({ type: 'heard', number: all.length }, second);
    conversation.lose(second);
    expect(isEnded).toBe(true);
  });
});
