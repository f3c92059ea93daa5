import './withoutCompiling.ts';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { threadData } from '#threads/startThread.ts';
import { LoadThread } from './loadThread.ts';
import { toWorkerSchema, workerDataSchema } from './messages.ts';

/** Entry of a worker thread: connects {@link LoadThread} with the engine that started it. */
if (parentPort === null) throw new Error('loadWorker runs as a worker thread only.');
// A pattern of a plan that tries too often goes on in an engine whose time grows with the text alone: a server may write a text of 40 letters that takes years else.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
const port = parentPort;
const data = workerDataSchema.parse(threadData());
const thread = new LoadThread(data, {
  post: (message) => port.postMessage(message),
  end: () => port.close(),
});
port.on('message', (message: unknown) => thread.take(toWorkerSchema.parse(message)));
