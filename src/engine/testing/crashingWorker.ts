import { parentPort } from 'node:worker_threads';
import { threadData } from '#threads/startThread.ts';
import { toWorkerSchema, workerDataSchema } from '#workers/messages.ts';
import '#workers/loadWorker.ts';

/** A load worker whose second thread dies a second and a half after the load began. */
if (workerDataSchema.parse(threadData()).thread === 1)
  parentPort?.on('message', (message: unknown) => {
    if (toWorkerSchema.parse(message).type !== 'start') return;
    setTimeout(() => {
      throw new Error('out of luck');
    }, 1_500);
  });
