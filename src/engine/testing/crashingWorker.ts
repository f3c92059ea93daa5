import { parentPort, workerData } from 'node:worker_threads';
import { toWorkerSchema } from '#workers/messages.ts';
import '#workers/loadWorker.ts';

/** A load worker whose second thread dies a second and a half after the load began. */
if (workerData.thread === 1)
  parentPort?.on('message', (message: unknown) => {
    if (toWorkerSchema.parse(message).type !== 'start') return;
    setTimeout(() => {
      throw new Error('out of luck');
    }, 1_500);
  });
