import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'workers/**/*.test.ts', 'electron/**/*.test.ts', 'tools/**/*.test.ts'],
    testTimeout: 20_000,
  },
});
