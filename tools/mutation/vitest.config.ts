import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tests that draw hundreds of runs: seconds for each of thousands of changes. What only they notice, a worked example has to state. */
const OF_MANY_RUNS = ['coverage', 'rarePauses', 'wholeSearches', 'samePairs', 'recordedRuns', 'simulatedRuns', 'healthy'];

/** The tests beside the files that are changed: what they do not notice, tests further away would notice by luck only, and late. */
export default defineConfig({
  root,
  test: {
    root,
    include: (process.env['MUTATED_TESTS'] ?? 'src/core/**/*.test.ts').split(' '),
    exclude: ['**/*.nightly.test.ts', `**/{${OF_MANY_RUNS.join(',')}}.test.ts`],
    setupFiles: ['tools/testing/seedProperties.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
