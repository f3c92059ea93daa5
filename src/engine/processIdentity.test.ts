import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isGone, readOwnIdentity, parseStatus, readFromPs } from './processIdentity.ts';

describe('isGone', () => {
  const self = readOwnIdentity();

  it('is false for this process', () => expect(isGone(self, 0, self)).toBe(false));
  it('is true for a reused process ID', () => expect(isGone({ ...self, startTime: '1' }, 0, self)).toBe(self.startTime !== ''));
  it('is true after a reboot', () => expect(isGone({ ...self, bootId: 'earlier' }, 0, self)).toBe(true));

  it('is true for an ended process', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await once(child, 'exit');
    expect(pid).toBeDefined();
    expect(isGone({ ...self, pid: pid ?? 0, startTime: '' }, 0, self)).toBe(true);
  });

  it('waits for 30 s of silence if the owner is in another container', () => {
    const elsewhere = { ...self, pidNamespace: 'pid:[1]', pid: 999_999 };
    expect(isGone(elsewhere, 1_000, self)).toBe(false);
    expect(isGone(elsewhere, 60_000, self)).toBe(true);
  });
});

describe('isGone without /proc', () => {
  const elsewhere = { startTime: 'Mon Jan  5 10:00:00 2026', bootId: '', pidNamespace: '' };
  const self = { ...elsewhere, pid: process.pid };
  // Any other running process can represent one with a reused process ID.
  const owner = { ...elsewhere, pid: process.ppid };
  const minute = 60_000;

  it('recognizes a reused process ID by its start time', () => {
    const other = { startTime: 'Mon Jan  5 11:00:00 2026', dead: false };
    expect(isGone(owner, minute, self, () => other)).toBe(true);
    expect(isGone(owner, 60 * minute, self, () => ({ ...other, startTime: owner.startTime }))).toBe(false);
  });
  it('does not look up the start time after a recent heartbeat', () =>
    expect(
      isGone(owner, 1_000, self, () => {
        throw new Error('asked');
      }),
    ).toBe(false));
  it('depends on the age of the heartbeat if the start time is unknown', () => {
    expect(isGone(owner, minute, self, () => null)).toBe(false);
    expect(isGone(owner, 5 * minute, self, () => null)).toBe(true);
    expect(isGone({ ...owner, startTime: '' }, 5 * minute, self, () => ({ startTime: 'known', dead: false }))).toBe(true);
  });
  it('is false for this process after any silence', () => expect(isGone(self, 60 * minute, self, () => null)).toBe(false));
});

describe('readFromPs', () => {
  it('returns the same start time of a process at every call', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const { pid = 0 } = child;
    const first = readFromPs(pid);
    expect(first).toMatchObject({ dead: false, startTime: expect.stringMatching(/^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/) });
    expect(readFromPs(pid)).toEqual(first);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readFromPs(pid)).toBeNull();
  });
});

describe('parseStatus', () => {
  const rest = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20';
  it('accepts brackets and spaces in the name', () =>
    expect(parseStatus(`12 (a ) b) S ${rest}`)).toEqual({ startTime: '4711', dead: false }));
  it('reports a zombie as dead', () => expect(parseStatus(`12 (node) Z ${rest}`)?.dead).toBe(true));
  it('returns null for any other text', () => expect(parseStatus('hello')).toBeNull());
});
