import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { MANY_RUN_TESTS, ROOM_VARIABLE, ROOMS } from './rooms.ts';

const room = ROOMS.find(({ name }) => name === process.env[ROOM_VARIABLE]);

/** The configuration of Vitest with which Stryker runs the pure tests of one room. */
export default defineConfig({
  test: {
    include: [...(room?.tests ?? [])],
    exclude: ['**/*.nightly.test.ts', `**/{${MANY_RUN_TESTS.join(',')}}.test.ts`],
    // Measuring growth is replaced, because instrumented code has other running times.
    alias: [{ find: /^.*\/testing\/growth\.ts$/, replacement: resolve(import.meta.dirname, 'untimed.ts') }],
    setupFiles: ['tools/testing/seedProperties.ts'],
    testTimeout: 60_000,
    isolate: false,
  },
});
