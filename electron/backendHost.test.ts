import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '#core/base/errors.ts';
import { type BackendHost, hostBackend, createRestartLimit } from './backendHost.ts';
import type { Relayed } from './messages.ts';
import { type FakeProcess, forkedProcesses } from './testing/electron.ts';

it('the restart limit allows three starts in a minute, and another one when the first was a minute ago', () => {
  const may = createRestartLimit(3, 60_000);
  expect([0, 10, 20].map(may)).toEqual([true, true, true]);
  expect(may(59_999)).toBe(false);
  expect(may(60_000)).toBe(true);
  expect(may(60_001)).toBe(false);
  expect(may(60_010)).toBe(true);
});

it('the restart limit never allows more than the maximum within any window', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (pauses, most) => {
      const may = createRestartLimit(most, 10_000);
      let now = 0;
      const starts: number[] = [];
      for (const pause of pauses) {
        now += pause;
        if (may(now)) starts.push(now);
      }
      for (const start of starts)
        expect(starts.filter((other) => other >= start && other < start + 10_000).length).toBeLessThanOrEqual(most);
    }),
  );
});

let frames: Relayed[];
let failures: Problem[];
let host: BackendHost;
beforeEach(() => {
  forkedProcesses.length = 0;
  frames = [];
  failures = [];
  host = hostBackend('/x/backendProcess.mjs', ['/x/holdfast', '--recording-window'], {
    onFrame: (relayed) => frames.push(relayed),
    onRunning: () => {},
    onFailure: (problem) => failures.push(problem),
  });
});

function latest(): FakeProcess {
  const child = forkedProcesses.at(-1);
  if (!child) throw new Error('nothing was started');
  return child;
}
const frame = (text: string | null): Relayed => ({ type: 'frame', connection: 'one', frame: text });

describe('the backend process', () => {
  it('gets the command that opens a recording window of the app', () =>
    expect(latest().args).toEqual(['/x/holdfast', '--recording-window']));

  it('receives, in order, the frames that the page sent before the process was ready', () => {
    host.send(frame('a'));
    host.send(frame('b'));
    expect(latest().received).toEqual([]);
    latest().emit('message', { type: 'ready' });
    host.send(frame('c'));
    expect(latest().received).toEqual([frame('a'), frame('b'), frame('c')]);
  });

  it('ignores invalid messages', () => {
    latest().emit('message', { type: 'frame', connection: 1, frame: 'a' });
    latest().emit('message', 'hello');
    latest().emit('message', frame('good'));
    expect(frames).toEqual([frame('good')]);
  });

  it("is restarted when it has ended, which closes the page's connection", () => {
    latest().emit('message', { type: 'ready' });
    host.send(frame('a'));
    latest().emit('exit', 1);
    expect(forkedProcesses).toHaveLength(2);
    expect(frames).toEqual([frame(null)]);
    expect(failures).toEqual([]);
  });

  it('is not restarted after three restarts within a minute, and this is reported', () => {
    for (let end = 0; end < 4; end += 1) latest().emit('exit', 139);
    expect(forkedProcesses).toHaveLength(4);
    expect(failures).toMatchObject([
      { code: 'BACKEND_LOST', message: expect.stringContaining('139'), hint: expect.stringContaining('stored') },
    ]);
  });

  it('is not restarted after it has reported why it cannot start', () => {
    const problem = { code: 'STORE_NEWER', message: 'The database is of a newer version.', hint: 'Install that version.' };
    latest().emit('message', { type: 'failed', problem });
    latest().emit('exit', 1);
    expect(failures).toEqual([problem]);
    expect(forkedProcesses).toHaveLength(1);
  });

  it('is asked to end, and the app waits until the process has ended', async () => {
    latest().emit('message', { type: 'ready' });
    const closed = host.close();
    expect(latest().received).toEqual([{ type: 'close' }]);
    latest().emit('exit', 0);
    await closed;
    expect(forkedProcesses).toHaveLength(1);
  });
});
