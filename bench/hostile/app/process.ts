// The backend of the desktop app in a separate process. It exchanges text frames and reports the state of the backend's threads.
import { BroadcastChannel } from 'node:worker_threads';
import { startBackend } from '#backend/index.ts';
import { backendFiles, entriesFor } from '#cli/entries.ts';
import type { Port } from '#contract/rpc/port.ts';
import { THREAD_CHANNEL, toAppSchema, type FromApp } from './reports.ts';

const notify = (message: FromApp): void => void process.send?.(message);
const [dataDirectory = ''] = process.argv.slice(2);
const channel = new BroadcastChannel(THREAD_CHANNEL);
// The report is passed on as text, because parsers fail in a process whose prototypes are polluted.
channel.addEventListener('message', (event) => notify({ type: 'thread', report: String(event instanceof MessageEvent ? event.data : '') }));
const backend = await startBackend({
  dataDirectory,
  ...backendFiles(entriesFor(new URL('../../../src/cli/main.ts', import.meta.url).href)),
  version: 'hostile',
});

let receiveFrame: (frame: string) => void = () => {};
const port: Port = {
  send: (text) => notify({ type: 'frame', text }),
  onFrame: (listener) => {
    receiveFrame = listener;
  },
  onClose: (listener) => void process.once('disconnect', listener),
  close: () => {},
  unsentBytes: 0,
};
backend.connect(port);

async function close(): Promise<void> {
  await backend.close();
  notify({ type: 'closed' });
  setTimeout(() => process.exit(0), 100);
}

process.on('message', (raw) => {
  const message = toAppSchema.parse(raw);
  if (message.type === 'frame') receiveFrame(message.text);
  else if (message.type === 'close') void close();
  else {
    globalThis.gc?.();
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    notify({ type: 'memory', memory: { rssBytes: rss, heapBytes: heapUsed, externalBytes: external + arrayBuffers } });
  }
});
process.once('disconnect', () => process.exit(1));
notify({ type: 'ready' });
