import './withoutCompiling.ts';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { threadData } from '#threads/startThread.ts';
import { LoadThread } from './loadThread.ts';
import { toWorkerSchema, workerDataSchema } from './messages.ts';

/** Entry point of a load thread: connects {@link LoadThread} with its engine. */
if (parentPort === null) throw new Error('loadWorker runs as a worker thread only.');
// After excessive backtracking, V8 continues a search with an engine of linear time. Otherwise a server could send 40 characters that a
// pattern searches for years.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
const port = parentPort;
const data = workerDataSchema.parse(threadData());
const thread = new LoadThread(data, { post: (message) => port.postMessage(message), end: () => port.close() });
port.on('message', (message: unknown) => thread.take(toWorkerSchema.parse(message)));
