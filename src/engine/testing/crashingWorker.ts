import { workerData } from 'node:worker_threads';
import '#workers/loadWorker.ts';

/** A load worker whose second thread dies after a second and a half. */
if (workerData.thread === 1) {
  setTimeout(() => {
    throw new Error('out of luck');
  }, 1_800);
}
