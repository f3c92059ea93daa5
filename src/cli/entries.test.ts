import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entriesFor } from './entries.ts';

describe('entriesFor', () => {
  it('finds sources from a source file', () => {
    const entries = entriesFor(new URL('main.ts', import.meta.url).href);
    const { packageFile, presetsDirectory, workerEntry, resultEntry, labEntry, selfTestEntry } = entries;
    for (const entry of [packageFile, presetsDirectory, workerEntry, resultEntry, labEntry, selfTestEntry])
      expect(existsSync(entry), entry.href).toBe(true);
  });

  it('finds built files from a built file, but never sources', () => {
    const entries = entriesFor('file:///opt/holdfast/dist/node/cli.mjs');
    expect(Object.fromEntries(Object.entries(entries).map(([name, url]) => [name, url.pathname]))).toEqual({
      packageFile: '/opt/holdfast/package.json',
      presetsDirectory: '/opt/holdfast/dist/node/presets/',
      uiDirectory: '/opt/holdfast/dist/ui/',
      agentFile: '/opt/holdfast/dist/agent/holdfast-agent.mjs',
      workerEntry: '/opt/holdfast/dist/node/loadWorker.mjs',
      resultEntry: '/opt/holdfast/dist/node/resultThread.mjs',
      labEntry: '/opt/holdfast/dist/node/lab.mjs',
      selfTestEntry: '/opt/holdfast/dist/node/selftest.mjs',
    });
  });
});
