import { describe, expect, it } from 'vitest';
import { checkPlan } from '#core/review/check.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { errorName } from '#core/base/errorNames.ts';
import { checkError } from '../bodyCheck/errorTexts.ts';
import type { Sample } from '../samples/schema.ts';
import { readRecord } from './record.ts';
import { Walks } from './walks.ts';

const steps = planSchema.parse({
  holdfast: 1,
  name: 'x',
  targets: [{ url: 'http://127.0.0.1/' }],
  journey: [{ name: 'form' }, { name: 'make', redirects: { follow: true } }],
  load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
}).journey;

const sample = (user: number, request: string, status: number, failure: string | null = null): Sample => ({
  user,
  request,
  failure,
  sent: null,
  received: { head: `HTTP/1.1 ${status} X\r\n`, body: '', bodyBytes: 0, isCut: false },
  serviceMs: 1,
  captured: [{ name: request, value: String(status) }],
});

describe('Walks', () => {
  it('settles a journey once, with the last response of its last step, after redirects', () => {
    const walks = new Walks(steps);
    expect(walks.take(sample(1, 'form', 200))).toBeNull();
    expect(walks.take(sample(1, 'make', 303))).toBeNull();
    expect(walks.take(sample(2, 'form', 200))).toBeNull();
    expect(walks.take(sample(1, 'make › redirects', 200))).toEqual({
      isGood: true,
      captured: { form: '200', make: '303', 'make › redirects': '200' },
    });
    expect(walks.rest(1)).toBeNull();
    expect(walks.take(sample(2, 'make', 500, 'status 500'))).toEqual({ isGood: false, reason: 'make: status 500' });
  });

  it('reports failures with the usual error texts', () => {
    const failed = (failure: string) => new Walks(steps).take(sample(1, 'make', 200, failure));
    expect(failed(checkError('TEXT_MISSING', '“Welcome”'))).toEqual({ isGood: false, reason: 'make: wrong content: “Welcome” is missing' });
    expect(failed(errorName('ECONNREFUSED', 'connect'))).toEqual({ isGood: false, reason: 'make: connection refused (ECONNREFUSED)' });
  });

  it('fails if an earlier response failed or the journey ended early', () => {
    const walks = new Walks(steps);
    walks.take(sample(1, 'form', 500, 'status 500'));
    expect(walks.take(sample(1, 'make', 200))).toEqual({ isGood: false, reason: 'form: status 500' });
    walks.take(sample(2, 'form', 200));
    expect(walks.rest(2)).toEqual({ isGood: false, reason: 'form: the journey ended there' });
    walks.take(sample(3, 'form', 500, 'status 500'));
    expect(walks.rest(3)).toEqual({ isGood: false, reason: 'form: status 500' });
    expect([walks.rest(4), walks.hasBegun(4), walks.hasBegun(3)]).toEqual([null, false, true]);
  });
});

describe('readRecord', () => {
  const line = (key: string, state: string, target = 't', values?: object): string =>
    JSON.stringify({ at: '2026-01-01T00:00:00Z', target, key, state, values });

  it('uses the last line of each row, and ignores other targets and broken lines', () => {
    const text = [
      line('a', 'created', 't', { id: '1' }),
      line('b', 'failed'),
      line('c', 'created'),
      line('c', 'removed'),
      line('d', 'created'),
      line('d', 'notRemoved'),
      line('b', 'created', 'other'),
      line('e', 'created'),
      line('e', 'failed'),
      '{"at":"2026',
    ].join('\n');
    const known = readRecord(text, 't');
    expect([...known].filter(([, { isThere }]) => isThere).map(([key]) => key)).toEqual(['a', 'd', 'e']);
    expect(known.get('a')?.values).toEqual({ id: '1' });
  });
});

describe('the populate block', () => {
  const codes = (populate: PlanInput['populate'], changes: Partial<PlanInput> = {}): string[] =>
    checkPlan(
      planSchema.parse({
        holdfast: 1,
        name: 'x',
        targets: [{ url: 'http://127.0.0.1/' }],
        journey: [{ name: 'page', path: '{{people.username}}' }],
        feeds: { people: { file: 'a.csv' } },
        load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
        populate,
        ...changes,
      }),
    ).map(({ code, path }) => `${code} ${path}`);
  const journey = [{ name: 'make', path: '{{people.username}}' }];

  it('is checked like the journey of the plan', () => {
    expect(codes({ feed: 'people', journey, remove: [{ name: 'r', path: '{{created.id}}' }] })).toEqual([]);
    expect(codes({ feed: 'people', journey })).toEqual(['NOTHING_REMOVES_ROWS populate.remove']);
    expect(codes({ feed: 'people', journey }, { leavesBehind: ['Accounts: remove them by hand.'] })).toEqual([]);
    expect(codes({ feed: 'nobody', remove: journey })).toEqual(['NO_SUCH_FEED populate.feed', 'NOTHING_MAKES_ROWS populate']);
    expect(codes({ feed: 'people', journey: [{ name: 'make', path: '{{created.id}}' }], command: 'x', removeCommand: 'y' })).toEqual([
      'MADE_TWICE populate.command',
      'UNDEFINED_VALUE populate.journey[0].path',
    ]);
  });
});
