const root = new URL('../../', import.meta.url);

/**
 * Entry files of threads for tests. Sources, as long as somebody works on them; where `npm test` has just made the build (HOLDFAST_BUILT_THREADS=1),
 * what it made of them: a thread starts from one file in a third of the time, and tests start hundreds.
 */
const isBuilt = process.env['HOLDFAST_BUILT_THREADS'] === '1';
export const loadWorkerEntry = new URL(isBuilt ? 'dist/node/loadWorker.mjs' : 'workers/loadWorker.ts', root);
export const resultThreadEntry = new URL(isBuilt ? 'dist/node/resultThread.mjs' : 'src/backend/results/thread.ts', root);
