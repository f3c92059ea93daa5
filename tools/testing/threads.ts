import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/**
 * Entry files of threads and programs for tests: the sources during development, and the built files once `npm test` has built them
 * (HOLDFAST_BUILT_THREADS=1). A built file starts twice as fast, which matters because tests start hundreds.
 */
const isBuilt = process.env['HOLDFAST_BUILT_THREADS'] === '1';
export const loadWorkerEntry = new URL(isBuilt ? 'dist/node/loadWorker.mjs' : 'workers/loadWorker.ts', root);
export const resultThreadEntry = new URL(isBuilt ? 'dist/node/resultThread.mjs' : 'src/backend/results/thread.ts', root);
export const labEntry = new URL(isBuilt ? 'dist/node/lab.mjs' : 'src/lab/main.ts', root);
export const selfTestEntry = new URL(isBuilt ? 'dist/node/selftest.mjs' : 'src/selftest/main.ts', root);
export const cliProgram = fileURLToPath(new URL(isBuilt ? 'dist/node/cli.mjs' : 'src/cli/main.ts', root));
export const agentProgram = fileURLToPath(new URL(isBuilt ? 'dist/agent/holdfast-agent.mjs' : 'src/agent/main.ts', root));
