import { beforeEach, describe, expect, it } from 'vitest';
import type { BrowserWindow } from 'electron';
import { channels } from './channels.ts';
import { listenToPage, reportPage } from './ipc.ts';
import type { Relayed, Verb, VerbReply } from './messages.ts';
import { handlers, ipcMain } from './testing/electron.ts';

const page = { url: 'app://holdfast/', parent: null };
const reported: unknown[][] = [];
const contents = { send: (...values: unknown[]) => reported.push(values) };
const window = { webContents: contents, isDestroyed: () => false } as unknown as BrowserWindow;
let relayed: Relayed[];
let verbs: Verb[];

beforeEach(() => {
  ipcMain.removeAllListeners();
  relayed = [];
  verbs = [];
  reported.length = 0;
  listenToPage({
    window: () => window,
    toBackend: (message) => relayed.push(message),
    verb: (verb) => {
      verbs.push(verb);
      return Promise.resolve({ done: true });
    },
  });
});

const send = (event: object, ...values: unknown[]): boolean => ipcMain.emit(channels.toBackend, event, ...values);

function invoke(event: object, input: unknown): Promise<VerbReply> {
  const handler = handlers.get(channels.verb) as ((event: object, input: unknown) => Promise<VerbReply>) | undefined;
  if (!handler) throw new Error('verbs are not handled');
  return handler(event, input);
}

const foreignSenders = [
  ['a frame inside the page', { sender: contents, senderFrame: { url: 'app://holdfast/', parent: page } }],
  ['a foreign page in our window', { sender: contents, senderFrame: { url: 'https://evil.example/', parent: null } }],
  ['another window', { sender: {}, senderFrame: page }],
  ['a frame that is gone', { sender: contents, senderFrame: null }],
] as const;

describe('frames from the page', () => {
  it('are passed on unparsed', () => {
    send({ sender: contents, senderFrame: page }, 'one', 'not even JSON');
    expect(relayed).toEqual([{ type: 'frame', connection: 'one', frame: 'not even JSON' }]);
  });

  it.each(foreignSenders)('are ignored if they come from %s', (_who, event) => {
    send(event, 'one', '{}');
    expect(relayed).toEqual([]);
  });

  it.each([
    ['no connection', [undefined, '{}']],
    ['an object for a frame', ['one', { a: 1 }]],
    ['an empty name', ['', '{}']],
    ['a frame above the maximum length', ['one', 'x'.repeat(8_000_001)]],
  ])('are ignored if they contain %s', (_what, values) => {
    send({ sender: contents, senderFrame: page }, ...values);
    expect(relayed).toEqual([]);
  });
});

describe('verbs of the page', () => {
  it('are performed', async () => {
    const verb = { verb: 'openExternal', url: 'https://example.org/' };
    expect(await invoke({ sender: contents, senderFrame: page }, verb)).toEqual({ done: true });
    expect(verbs).toEqual([verb]);
  });

  it.each(foreignSenders)('are ignored if they come from %s', async (_who, event) => {
    expect(await invoke(event, { verb: 'openExternal', url: 'https://example.org/' })).toEqual({ done: false });
    expect(verbs).toEqual([]);
  });

  it.each([
    ['an unknown verb', { verb: 'openPath', path: '/bin/sh' }],
    ['a path beside the name', { verb: 'saveText', suggestedName: 'a', content: 'b', path: '/etc/passwd' }],
    ['nothing', undefined],
  ])('are rejected if they contain %s', async (_what, input) => {
    expect(await invoke({ sender: contents, senderFrame: page }, input)).toEqual({ done: false });
    expect(verbs).toEqual([]);
  });
});

it('a page that is closed gets no frames', () => {
  const message: Relayed = { type: 'frame', connection: 'one', frame: '{}' };
  reportPage(undefined, message);
  reportPage({ ...window, isDestroyed: () => true } as BrowserWindow, message);
  expect(reported).toEqual([]);
  reportPage(window, message);
  expect(reported).toEqual([[channels.toPage, 'one', '{}']]);
});
