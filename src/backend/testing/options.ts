import { labEntry, loadWorkerEntry, resultThreadEntry, selfTestEntry } from '#tools/testing/threads.ts';
import type { BackendOptions } from '../options.ts';

const root = new URL('../../../', import.meta.url);

/** Returns options of a backend that runs from the checkout and keeps its data in `dataDirectory`. */
export function testOptions(dataDirectory: string): BackendOptions {
  return {
    dataDirectory,
    workerEntry: loadWorkerEntry,
    resultEntry: resultThreadEntry,
    labEntry,
    selfTestEntry,
    agentFile: new URL('dist/agent/holdfast-agent.mjs', root),
    presetsDirectory: new URL('presets', root).pathname,
    version: '0.0.0-test',
  };
}
