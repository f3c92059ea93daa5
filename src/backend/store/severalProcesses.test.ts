import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, it } from 'vitest';
import { isGone, readOwnIdentity } from '#engine/processIdentity.ts';
import { openLog } from '../log.ts';
import { createRedaction } from '../redaction.ts';
import { recoverRuns } from '../services/runs/recovery.ts';
import { startTestBackend } from '../testing/backend.ts';
import { newRun } from '../testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { syntheticGeneratorWindow } from '../testing/windows.ts';
import { ownerOf } from './rows.ts';
import { openStore } from './store.ts';

const WINDOWS = 120;
const SCRIPT = join(import.meta.dirname, '../testing/writingProcess.ts');

interface Writer {
  readonly id: string;
  readonly child: ChildProcess;
  /** Second of the last window that the writer reported as stored; -1 before the first window. */
  lastStored: number;
}

describe('several processes on one store', () => {
  let directory = '';
  beforeEach(() => {
    directory = temporaryDirectory();
  });

  function write(id: string, onWindow: (writer: Writer) => void): Writer {
    const child = spawn(process.execPath, [SCRIPT, directory, id, String(WINDOWS)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const writer: Writer = { id, child, lastStored: -1 };
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!/^\d+$/.test(line)) return;
      writer.lastStored = Number(line);
      onWindow(writer);
    });
    return writer;
  }

  it('each keep their own runs, and only the run of a killed process is interrupted', async () => {
    const victim = ['a', 'b', 'c'][Math.floor(Math.random() * 3)] ?? 'a';
    const writers = ['a', 'b', 'c'].map((id) =>
      write(id, (writer) => {
        if (id === victim && writer.lastStored === 40) writer.child.kill('SIGKILL');
      }),
    );
    await Promise.all(writers.map(({ child }) => once(child, 'close')));

    const store = openStore(directory);
    const log = openLog(directory, createRedaction());
    expect(recoverRuns(store, readOwnIdentity(), log), `killed ${victim}`).toEqual([victim]);
    for (const { id, lastStored } of writers) {
      const record = store.find(id);
      const seconds = store.generatorWindows(record.key).map(({ window }) => window.second);
      expect(seconds, id).toEqual(seconds.map((_, index) => index));
      if (id === victim) {
        expect(record).toMatchObject({ state: 'interrupted', ended_code: 'ownerGone' });
        expect(seconds.length).toBeGreaterThanOrEqual(lastStored + 1);
        expect(seconds.length).toBeLessThan(WINDOWS);
      } else {
        expect(record.state).toBe('finished');
        expect(seconds).toHaveLength(WINDOWS);
      }
    }
    expect(recoverRuns(store, readOwnIdentity(), log)).toEqual([]);
    store.close();
  });

  it('compute the result of a run whose process was killed before it had one', async () => {
    const store = openStore(directory);
    const key = store.create(newRun('a'));
    store.append(key, syntheticGeneratorWindow(0, { perSecond: 10 }), { requests: 10, completedPerSecond: 10, nowMs: Date.now() });
    store.end(key, { state: 'finished', endedAt: new Date().toISOString(), because: null }, null);
    store.close();
    const { client, close } = await startTestBackend({ dataDirectory: directory });
    const { runs } = await client.call('runs.list', { search: '', limit: 10, offset: 0 });
    await close();
    expect(runs).toMatchObject([{ id: 'a', state: 'finished', sparkline: expect.arrayContaining([10]) }]);
  });

  it('do not touch a run whose process is alive', async () => {
    const store = openStore(directory);
    const log = openLog(directory, createRedaction());
    let recovered: string[] | undefined;
    const { child } = write('alive', ({ lastStored }) => {
      if (lastStored === 10) recovered = recoverRuns(store, readOwnIdentity(), log);
    });
    await once(child, 'close');
    expect(recovered).toEqual([]);
    expect(isGone(ownerOf(store.find('alive')), 0, readOwnIdentity())).toBe(true);
    expect(store.find('alive').state).toBe('finished');
    store.close();
  });
});
