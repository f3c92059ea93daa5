import { describe, expect, it } from 'vitest';
import { describePlan } from '../describe.ts';
import { chooseEngineFor } from '../engines/engineFor.ts';
import { parseValue } from '../check.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';

const load: PlanInput['load'] = { model: 'connections', stages: [{ connections: 1, requests: 60 }] };

function parsed(plan: Partial<PlanInput>): ReturnType<typeof parseValue> {
  return parseValue({ holdfast: 1, name: 'test', targets: [{ url: 'http://127.0.0.1/' }], load, ...plan });
}

function found(plan: Partial<PlanInput>): string[] {
  return parsed(plan).issues.map(({ code, path }) => `${code} ${path}`);
}

const login: PlanInput['journey'] = [
  { name: 'form', captures: [{ from: 'cookie', as: 'xsrf', name: '_xsrf' }] },
  { name: 'login', method: 'POST', path: '/login', form: { user: 'ada', _xsrf: '{{xsrf}}' }, redirects: { follow: true } },
];

describe('values of a journey', () => {
  it('may come from earlier steps, variables and cookies', () => {
    const journey = [...login, { name: 'page', path: '/p/{{id}}?t={{cookie.sid}}', headers: { 'X-Token': '{{xsrf}}' } }];
    expect(found({ journey, variables: { id: { kind: 'uuid' } } })).toEqual([]);
  });

  it('must be defined before they are used', () => {
    const journey = [
      { name: 'first', path: '/{{xsrf}}' },
      ...login,
      { name: 'page', json: { deep: ['{{xrsf}}'] }, method: 'PUT' as const },
    ];
    const { issues } = parsed({ journey });
    expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'CAPTURED_LATER journey[0].path',
      'UNDEFINED_VALUE journey[3].json',
    ]);
    expect(issues[1]?.hint).toContain('Did you mean “xsrf”?');
  });

  it('are rejected where placeholders would be sent literally', () => {
    const journey = [
      ...login,
      { name: 'sent', method: 'POST' as const, form: { 'q{{xsrf}}_choice': '1', '{{gone}}': '2' } },
      { name: 'asked', query: { 'q{{xsrf}}': '1' }, headers: { 'X-Note': 'a' } },
      { name: 'typed', method: 'POST' as const, multipart: [{ name: 'a', value: 'b', type: 'text/plain; charset={{xsrf}}' }] },
    ];
    const targets = [{ url: 'http://127.0.0.1/', headers: { 'X-Token': '{{xsrf}}', 'X-Braces': '\\{{xsrf}}' } }];
    expect(found({ journey, targets })).toEqual([
      'NOT_FILLED_IN targets[0].headers.X-Token',
      'NOT_FILLED_IN journey[3].query.q{{xsrf}}',
      'NOT_FILLED_IN journey[4].multipart[0].type',
      'UNDEFINED_VALUE journey[2].form.{{gone}}',
    ]);
  });

  it('must have one valid source', () => {
    const captures: NonNullable<PlanInput['journey'][number]['captures']> = [
      { from: 'body', as: 'id', pattern: '(a' },
      { from: 'body', as: 'a', pattern: 'a(b)', group: 2 },
      { from: 'json', as: 'b', path: 'items' },
      { from: 'header', as: 'c', name: 'Content-Length' },
    ];
    expect(found({ journey: [{ name: 'page', captures }], variables: { id: { kind: 'integer', from: 2, to: 1 } } })).toEqual([
      'RANGE_EMPTY variables.id',
      'BAD_PATTERN journey[0].captures[0].pattern',
      'VALUE_TWICE journey[0].captures[0].as',
      'NO_SUCH_GROUP journey[0].captures[1].group',
      'BAD_JSON_PATH journey[0].captures[2].path',
      'HEADER_NOT_KEPT journey[0].captures[3].name',
    ]);
    expect(found({ journey: [{ name: 'page', method: 'HEAD', captures: [{ from: 'body', as: 'a', pattern: 'x' }] }] })).toEqual([
      'CAPTURE_WITHOUT_BODY journey[0].captures',
    ]);
  });

  it('must have a fallback of the same form: a single value or a list', () => {
    const single = { from: 'json' as const, path: '$.id' };
    const list = { ...single, which: 'all' as const };
    const captures: NonNullable<PlanInput['journey'][number]['captures']> = [
      { ...list, as: 'a', otherwise: 'x', mayBeEmpty: true },
      { ...list, as: 'b', otherwise: '' },
      { ...single, as: 'c', mayBeEmpty: true },
      { ...list, as: 'd', mayBeEmpty: true },
      { ...single, as: 'e', otherwise: 'x' },
    ];
    expect(found({ journey: [{ name: 'page', captures }] })).toEqual([
      'OTHERWISE_OF_LIST journey[0].captures[0].otherwise',
      'OTHERWISE_OF_LIST journey[0].captures[1].otherwise',
      'EMPTY_SINGLE_VALUE journey[0].captures[2].mayBeEmpty',
    ]);
  });

  it('persist for users who log in once', () => {
    const journey = [...login.map((step) => ({ ...step, once: true })), { name: 'page' }];
    expect(found({ journey })).toEqual([]);
    expect(found({ journey, cookies: 'journey' })).toEqual(['ONCE_FORGOTTEN journey[0].once', 'ONCE_FORGOTTEN journey[1].once']);
    expect(found({ journey: journey.slice(0, 2) })).toContain('NOTHING_BUT_ONCE journey[0].once');
  });
});

describe('what a step sends', () => {
  it('may be only one of body, form and JSON', () => {
    expect(found({ journey: [{ name: 'a', method: 'POST', body: 'x', json: null }] })).toEqual(['TWO_BODIES journey[0].json']);
    expect(found({ journey: [{ name: 'a', form: { a: 'b' } }] })).toEqual(['BODY_WITHOUT_MEANING journey[0].form']);
  });

  it('cannot be both a form with files and another body', () => {
    const multipart = [{ name: '{{id}}', bytes: 10 }];
    const plan = { journey: [{ name: 'a', method: 'POST' as const, multipart, form: { a: 'b' } }] };
    expect(found(plan)).toEqual(['TWO_BODIES journey[0].multipart', 'UNDEFINED_VALUE journey[0].multipart[0]']);
  });

  it('must not contain a plain-text password', () => {
    const plan = (password: string): Partial<PlanInput> => ({
      journey: [{ name: 'a', method: 'POST', form: { password } }],
      variables: { word: { kind: 'secret', secret: 'env:WORD' } },
    });
    expect(found(plan('hunter2'))).toEqual(['SECRET_IN_CLEAR journey[0].form.password']);
    expect(found(plan('{{word}}'))).toEqual([]);
  });
});

describe('a journey with several steps', () => {
  it('uses the native driver, even if autocannon is requested', () => {
    const { plan } = parsed({ journey: login });
    expect(plan && chooseEngineFor(plan)).toBe('native');
    expect(found({ journey: login, engine: 'autocannon' })).toEqual(['JOURNEY_NOT_SUPPORTED journey[0]']);
    const { plan: plain } = parsed({ journey: [{ name: 'a', path: '/?q={{' }] });
    expect(plain && chooseEngineFor(plain)).toBe('autocannon');
  });

  it('is described in sentences', () => {
    const { plan } = parsed({
      journey: [...login, { name: 'page', path: '{{id}}' }],
      variables: { id: { kind: 'integer', from: 1, to: 9 } },
    });
    expect(plan && describePlan(plan).sentences).toEqual(
      expect.arrayContaining([
        'Each journey begins without cookies and keeps those that the server sets.',
        '“id” is a random number from 1 to 9 for each journey.',
        'From a successful response to “form” it takes “xsrf” (the cookie _xsrf).',
        'Redirects of “login” are followed on the same server, and each counts as a request of its own.',
      ]),
    );
  });
});
