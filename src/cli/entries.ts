import { fileURLToPath } from 'node:url';
import type { BackendOptions } from '#backend/options.ts';

/** Files that the command line loads by path. */
export interface Entries {
  readonly packageFile: URL;
  readonly presetsDirectory: URL;
  readonly uiDirectory: URL;
  readonly workerEntry: URL;
  readonly resultEntry: URL;
  readonly labEntry: URL;
  readonly selfTestEntry: URL;
  /** The agent for hosts. It is always the built file, because only a single file is copied. */
  readonly agentFile: URL;
}

/**
 * Finds the files that belong to the entry file: sources in a checkout (`src/cli/main.ts`), built JavaScript in a package
 * (`dist/node/cli.mjs`). A built command line never falls back to sources.
 */
export function entriesFor(mainModule: string): Entries {
  const root = new URL('../../', mainModule);
  const inSources = mainModule.endsWith('.ts');
  return {
    packageFile: new URL('package.json', root),
    presetsDirectory: inSources ? new URL('presets/', root) : new URL('presets/', mainModule),
    uiDirectory: new URL('dist/ui/', root),
    agentFile: new URL('dist/agent/holdfast-agent.mjs', root),
    workerEntry: inSources ? new URL('workers/loadWorker.ts', root) : new URL('loadWorker.mjs', mainModule),
    resultEntry: inSources ? new URL('src/backend/results/thread.ts', root) : new URL('resultThread.mjs', mainModule),
    labEntry: inSources ? new URL('src/lab/main.ts', root) : new URL('lab.mjs', mainModule),
    selfTestEntry: inSources ? new URL('src/selftest/main.ts', root) : new URL('selftest.mjs', mainModule),
  };
}

export function backendFiles({
  workerEntry,
  resultEntry,
  labEntry,
  selfTestEntry,
  agentFile,
  presetsDirectory,
}: Entries): Pick<BackendOptions, 'workerEntry' | 'resultEntry' | 'labEntry' | 'selfTestEntry' | 'agentFile' | 'presetsDirectory'> {
  return { workerEntry, resultEntry, labEntry, selfTestEntry, agentFile, presetsDirectory: fileURLToPath(presetsDirectory) };
}
