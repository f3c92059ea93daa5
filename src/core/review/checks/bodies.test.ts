import { describe, expect, it } from 'vitest';
import { chooseEngineFor } from '../engines/engineFor.ts';
import { parseValue } from '../check.ts';

function read(step: object, plan: object = {}) {
  return parseValue({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page', ...step }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    ...plan,
  });
}
const found = (checks: object[], step: object = {}): string[] =>
  read({ checks, ...step }).issues.map(({ level, code, path }) => `${level} ${code} ${path}`);

describe('checks of bodies', () => {
  it('may be of every kind with the native engine', () => {
    const checks = [
      { kind: 'contains', text: 'a' },
      { kind: 'matches', pattern: '^a\\d+', flags: 'im', not: true },
      { kind: 'json', path: '$.a[0]["b c"]', equals: null },
      { kind: 'size', minBytes: 1, maxBytes: 1 },
    ];
    const { plan, issues } = read({ checks });
    expect(issues).toEqual([]);
    expect(plan === null ? null : chooseEngineFor(plan)).toBe('native');
    expect(read({ checks }, { engine: 'autocannon' }).issues).toMatchObject([{ code: 'CHECKS_NOT_SUPPORTED', path: 'journey[0].checks' }]);
    expect(read({}).plan?.journey[0]?.checks).toEqual([]);
  });

  it.each<[string, object[], string]>([
    ['a pattern that is none', [{ kind: 'matches', pattern: '(' }], 'error BAD_PATTERN journey[0].checks[0].pattern'],
    ['flags that keep a place', [{ kind: 'matches', pattern: 'a', flags: 'g' }], 'error BAD_PATTERN journey[0].checks[0].flags'],
    ['flags twice', [{ kind: 'matches', pattern: 'a', flags: 'ii' }], 'error BAD_PATTERN journey[0].checks[0].pattern'],
    ['a path that is none', [{ kind: 'json', path: 'a.b' }], 'error BAD_JSON_PATH journey[0].checks[0].path'],
    ['a size without a limit', [{ kind: 'size' }], 'error SIZE_WITHOUT_LIMIT journey[0].checks[0]'],
    ['a size that nothing has', [{ kind: 'size', minBytes: 2, maxBytes: 1 }], 'error SIZE_IMPOSSIBLE journey[0].checks[0]'],
    [
      'opposites',
      [
        { kind: 'contains', text: 'a' },
        { kind: 'contains', text: 'a', not: true },
      ],
      'error CHECKS_CONTRADICT journey[0].checks[1]',
    ],
    ['no text', [{ kind: 'contains', text: '' }], 'error TOO_SMALL journey[0].checks[0].text'],
    ['a kind that there is not', [{ kind: 'hash' }], 'error NOT_ONE_OF journey[0].checks[0].kind'],
  ])('are refused: %s', (_name, checks, issue) => expect(found(checks)).toEqual([issue]));

  it('require a body', () => {
    const checks = [{ kind: 'contains', text: 'a' }];
    const refused = ['error CHECK_WITHOUT_BODY journey[0].checks'];
    expect(found(checks, { method: 'HEAD' })).toEqual(refused);
    expect(found(checks, { expectStatus: [204] })).toEqual(refused);
    expect(found(checks, { expectStatus: [200, 204] })).toEqual([]);
  });
});
