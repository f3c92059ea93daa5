import { expect, it } from 'vitest';
import type { Client, StreamListener } from '#contract/rpc/client.ts';
import type { CliContext } from '../context.ts';
import { memoryOutput } from '../testing/memoryOutput.ts';
import { followGroup } from './followGroup.ts';

interface Run {
  readonly position: number;
  readonly phase: string | null;
  readonly runId: string | null;
}

/** Returns what is drawn while a group of one run passes through these phases. */
async function drawPhases(phases: readonly (string | null)[], isQuiet = false): Promise<string> {
  const err = memoryOutput({ isTerminal: true, columns: 120 });
  const context = { err, onInterrupt: () => () => {} } as unknown as CliContext;
  const openStream = (listener: StreamListener<readonly Run[]>): void => {
    for (const phase of phases) listener.onItem([{ position: 0, phase, runId: null }]);
    listener.onEnd();
  };
  const group = {
    open: openStream,
    stop: () => Promise.resolve(),
    stopping: '',
    getRuns: (runs: readonly Run[]) => runs,
    isOver: ({ phase }: Run) => phase === null,
    formatLine: () => 'measured',
  };
  await followGroup(group, isQuiet, context, {} as Client);
  return err.text;
}

it('the progress line reports page visits before the load of a run', async () => {
  const drawn = await drawPhases(['ready', 'visits', null]);
  expect(drawn.indexOf('seeing the watched pages without load')).toBeGreaterThan(-1);
  expect(drawn.indexOf('measured')).toBeGreaterThan(drawn.indexOf('seeing the watched pages'));
});

it('the progress line reports no page visits without watched pages or with --quiet', async () => {
  expect(await drawPhases(['ready', 'rest', null])).not.toContain('seeing');
  expect(await drawPhases(['ready', 'visits', null], true)).toBe('');
});
