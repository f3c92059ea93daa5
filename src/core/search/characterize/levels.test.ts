import { expect, it } from 'vitest';
import { describeCharacter } from './conclusion.ts';
import { measureUnloadedTime, chooseNextUsers } from './levels.ts';
import type { UsersReading } from './reading.ts';
import { calmReading } from './testing/frozenRuns.ts';

const settings = { maxUsers: 128, secondsEach: 3 };

const next = (...readings: UsersReading[]): number | undefined => chooseNextUsers(settings, readings)?.users;

it('chooseNextUsers: repeats runs with few users if this computer was overloaded, up to a maximum', () => {
  const slow = calmReading(2, { overloadedSeconds: 2, meanMs: 109 });
  expect(next(calmReading(1))).toBe(2);
  expect(next(calmReading(1), calmReading(2, { overloadedSeconds: 1 })), 'a third of the time at most').toBe(4);
  expect(next(calmReading(1), slow)).toBe(2);
  expect(next(calmReading(1), slow, slow)).toBe(2);
  expect(next(calmReading(1), slow, slow, slow)).toBe(4);
  expect(chooseNextUsers({ ...settings, maxUsers: 2 }, [calmReading(1), slow])?.users, 'the most that are asked with').toBe(2);
  expect(chooseNextUsers({ ...settings, maxUsers: 2 }, [calmReading(1), slow, slow, slow])).toBeNull();
  expect(next(calmReading(1), calmReading(8, { overloadedSeconds: 3 })), 'many users say nothing of the time of an answer').toBe(16);
});

it('measureUnloadedTime: uses the quickest run, with its overloaded seconds', () => {
  const late = calmReading(1, { overloadedSeconds: 3, meanMs: 109 });
  expect(measureUnloadedTime([late, calmReading(1)])).toMatchObject({ meanMs: 100, responses: 30, overloadedSeconds: 0 });
  expect(measureUnloadedTime([late])).toMatchObject({ meanMs: 109, overloadedSeconds: 3 });
});

it('edgeReasons: reports failures without a limit instead of “no time-out”', () => {
  const failing = calmReading(16, { failed: 60, errorResponses: 60, gatewayTimeouts: 47, errorP50Ms: 900, errorP95Ms: 60_000 });
  const limit = (readings: UsersReading[]): string =>
    describeCharacter(readings, null).reasoning.find(({ about }) => about === 'time-out')?.text ?? '';
  expect(limit([calmReading(1), calmReading(4), failing])).toContain(
    'Of 630 requests 47 were timed out by a proxy (504), 13 got another server error;',
  );
  expect(limit([calmReading(1), calmReading(4)])).toContain('No request timed out.');
});
