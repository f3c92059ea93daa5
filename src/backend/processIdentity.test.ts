import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isGone, ownIdentity, parseStatus } from './processIdentity.ts';

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

describe('parseStatus', () => {
  const rest = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20';
  it('copes with brackets and spaces in the name', () =>
    expect(parseStatus(`12 (a ) b) S ${rest}`)).toEqual({ startTime: '4711', dead: false }));
  it('calls a zombie dead', () => expect(parseStatus(`12 (node) Z ${rest}`)?.dead).toBe(true));
  it('gives nothing for a text that is something else', () => expect(parseStatus('hello')).toBeNull());
});
