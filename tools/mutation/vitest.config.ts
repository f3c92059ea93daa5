import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tests beside the files that are changed: what they do not notice, tests further away would notice by luck only, and late. */
export default defineConfig({
  root,
  test: {
    root,
    include: (process.env['MUTATED_TESTS'] ?? 'src/core/**/*.test.ts').split(' '),
    exclude: ['**/*.nightly.test.ts'],
    setupFiles: ['tools/testing/seedProperties.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
