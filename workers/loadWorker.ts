import { parentPort, workerData } from 'node:worker_threads';
import { LoadThread } from './loadThread.ts';
import { toWorkerSchema, workerDataSchema } from './messages.ts';
import { holdTerminationBy } from './terminationLock.ts';

/** Entry of a worker thread: connects {@link LoadThread} with the engine that started it. */
if (parentPort === null) throw new Error('loadWorker runs as a worker thread only.');
const port = parentPort;
const data = workerDataSchema.parse(workerData);
holdTerminationBy(data.terminationLock);
const thread = new LoadThread(data, {
  post: (message) => port.postMessage(message),
  end: () => port.close(),
});
port.on('message', (message: unknown) => thread.take(toWorkerSchema.parse(message)));
