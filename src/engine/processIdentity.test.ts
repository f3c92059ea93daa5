import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isGone, ownIdentity, parseStatus, readFromPs } from './processIdentity.ts';

describe('isGone', () => {
  const self = ownIdentity();

  it('is false for this process', () => expect(isGone(self, 0, self)).toBe(false));
  it('is true for a process id that was given to another process', () =>
    expect(isGone({ ...self, startTime: '1' }, 0, self)).toBe(self.startTime !== ''));
  it('is true after the machine has been started again', () => expect(isGone({ ...self, bootId: 'earlier' }, 0, self)).toBe(true));

  it('is true for a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await once(child, 'exit');
    expect(pid).toBeDefined();
    expect(isGone({ ...self, pid: pid ?? 0, startTime: '' }, 0, self)).toBe(true);
  });

  it('waits for silence of an owner in another container', () => {
    const elsewhere = { ...self, pidNamespace: 'pid:[1]', pid: 999_999 };
    expect(isGone(elsewhere, 1_000, self)).toBe(false);
    expect(isGone(elsewhere, 60_000, self)).toBe(true);
  });
});

describe('isGone where the system has no /proc', () => {
  const elsewhere = { startTime: 'Mon Jan  5 10:00:00 2026', bootId: '', pidNamespace: '' };
  const self = { ...elsewhere, pid: process.pid };
  // Some process that lives, as one does that was given the id of the owner.
  const owner = { ...elsewhere, pid: process.ppid };
  const minute = 60_000;

  it('knows a process that was given the id by its start', () => {
    const other = { startTime: 'Mon Jan  5 11:00:00 2026', dead: false };
    expect(isGone(owner, minute, self, () => other)).toBe(true);
    expect(isGone(owner, 60 * minute, self, () => ({ ...other, startTime: owner.startTime }))).toBe(false);
  });
  it('asks for no start of one that was heard of just now', () =>
    expect(
      isGone(owner, 1_000, self, () => {
        throw new Error('asked');
      }),
    ).toBe(false));
  it('goes by the time since it was heard of where no start is told', () => {
    expect(isGone(owner, minute, self, () => null)).toBe(false);
    expect(isGone(owner, 5 * minute, self, () => null)).toBe(true);
    expect(isGone({ ...owner, startTime: '' }, 5 * minute, self, () => ({ startTime: 'known', dead: false }))).toBe(true);
  });
  it('never takes this process for gone, however long it was silent', () =>
    expect(isGone(self, 60 * minute, self, () => null)).toBe(false));
});

describe('readFromPs', () => {
  it('tells the start of a process, the same whenever it is asked', async () => {
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
  it('copes with brackets and spaces in the name', () =>
    expect(parseStatus(`12 (a ) b) S ${rest}`)).toEqual({ startTime: '4711', dead: false }));
  it('calls a zombie dead', () => expect(parseStatus(`12 (node) Z ${rest}`)?.dead).toBe(true));
  it('gives nothing for a text that is something else', () => expect(parseStatus('hello')).toBeNull());
});
