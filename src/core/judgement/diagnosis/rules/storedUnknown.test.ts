import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { watchSchema } from '#core/plan/schema/watchPages.ts';
import { STORED_EVENT } from '#core/result/readings.ts';
import { diagnose } from '../diagnose.ts';
import { facts, generatorThatReads, healthyStep } from '../testing/facts.ts';

/** Returns the findings for a run of 20 requests with the given number of successes, while the counter had the given values. */
function found(ok: number, values: readonly number[], counts: string | null = 'description') {
  const given = facts(healthyStep(), {
    generators: [generatorThatReads(values.map((value) => ({ stored: value })))],
    requestsByStep: { description: { ...emptyRequestOutcomes(), sent: 20, ok, httpError: 20 - ok } },
  });
  const watch = [watchSchema.parse({ name: 'stored', url: 'http://127.0.0.1:9/', ...(counts === null ? {} : { counts }) })];
  return diagnose({ ...given, plan: { ...given.plan, watch } }).filter(({ id }) => id.startsWith('storedUnknown'));
}

it('storedUnknown: reports items that were stored without a successful response', () => {
  const [finding] = found(8, [100, 104, 115]);
  expect(finding).toMatchObject({ level: 'problem', sentence: expect.stringMatching(/^7 of “description” were stored although/) });
  expect(finding?.evidence).toEqual([
    '“stored”: 8 acknowledged, 15 stored. “stored” was 100 before the load and 115 after it.',
    'Acknowledged by a successful response: 8 of 20 requests of “description”.',
  ]);
});

it('storedUnknown: blames no failure for more items than were sent', () => {
  expect(found(20, [0, 24])[0]?.sentence).toBe('4 more than “description” sent are stored.');
  expect(found(18, [0, 21])[0]).toMatchObject({
    sentence: '1 more than “description” sent is stored.',
    remedy: expect.stringMatching(/^Another step/),
  });
});

it('storedUnknown: reports items that were acknowledged but are missing', () => {
  expect(found(20, [0, 18])[0]?.sentence).toBe('2 of “description” were acknowledged but not stored.');
});

it('storedUnknown: prefers counts read before and after the load', () => {
  const given = facts(healthyStep(), {
    requestsByStep: { upload: { ...emptyRequestOutcomes(), sent: 20, ok: 8, httpError: 12 } },
    events: [{ second: 9, kind: STORED_EVENT, text: '', data: { name: 'rows', step: 'upload', before: 100, after: 113 } }],
  });
  const [finding, ...others] = diagnose(given).filter(({ id }) => id === 'storedUnknown.upload');
  expect(finding?.sentence).toMatch(/^5 of “upload” were stored although/);
  expect(others).toEqual([]);
  const unread = { second: 9, kind: STORED_EVENT, text: '', data: { name: 'rows', step: 'upload', before: 100, after: null } };
  expect(diagnose({ ...given, events: [unread] }).filter(({ id }) => id.startsWith('storedUnknown'))).toEqual([]);
});

it('storedUnknown: reports missing and repeated items that were compared individually', () => {
  const sentence = (after: number, items: { missing: number; repeated: number }) =>
    diagnose(
      facts(healthyStep(), {
        requestsByStep: { upload: { ...emptyRequestOutcomes(), sent: 24, ok: 24 } },
        events: [
          {
            second: 9,
            kind: STORED_EVENT,
            text: '',
            data: { name: 'rows', step: 'upload', before: 0, after, items: { compared: 24, ...items } },
          },
        ],
      }),
    ).find(({ id }) => id === 'storedUnknown.upload')?.sentence;
  expect(sentence(24, { missing: 1, repeated: 1 })).toBe('1 of “upload” were acknowledged but not stored.');
  expect(sentence(25, { missing: 0, repeated: 1 })).toBe('1 of “upload” is stored more than once.');
  expect(sentence(24, { missing: 0, repeated: 0 })).toBeUndefined();
});

it('storedUnknown: ignores equal counts, a missing counter, and a single reading', () => {
  expect(found(8, [100, 108])).toEqual([]);
  expect(found(8, [100, 120], null)).toEqual([]);
  expect(found(8, [100])).toEqual([]);
});
