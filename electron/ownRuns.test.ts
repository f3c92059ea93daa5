import { expect, it } from 'vitest';
import type { Handlers } from '#contract/rpc/server.ts';
import { trackOwnRuns } from './ownRuns.ts';

it('trackOwnRuns counts only runs that were started in this window, even if a run is seen before its start is confirmed', async () => {
  const started = ['one', 'two'];
  const handlers = { calls: { 'runs.start': () => ({ runId: started.shift() ?? '' }) }, streams: {} } as unknown as Handlers;
  const counts: number[] = [];
  const ownRuns = trackOwnRuns(handlers, (count) => counts.push(count));
  const input = {} as Parameters<Handlers['calls']['runs.start']>[0];
  ownRuns.update([{ id: 'of another process' }, { id: 'one' }]);
  expect(await ownRuns.handlers.calls['runs.start'](input)).toEqual({ runId: 'one' });
  await ownRuns.handlers.calls['runs.start'](input);
  ownRuns.update([{ id: 'of another process' }, { id: 'one' }, { id: 'two' }]);
  ownRuns.update([{ id: 'of another process' }]);
  expect(counts).toEqual([0, 1, 1, 2, 0]);
});
