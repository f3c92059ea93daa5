import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonPath, findValueAt } from './jsonPath.ts';
import { bodyCheckSchema } from '#core/plan/schema/step.ts';
import { checkError, checkLabel, describeCheck, formatErrorName, isCheckError } from './errorTexts.ts';

describe('JSON paths', () => {
  it.each([
    ['$', []],
    ['$.a', ['a']],
    ['$.a.b[0].c', ['a', 'b', 0, 'c']],
    ['$[2][10]', [2, 10]],
    ['$["a b"]["\\u00e9\\""]', ['a b', 'é"']],
    ['$.content-type', ['content-type']],
  ])('can be %s', (text, path) => expect(parseJsonPath(text)).toEqual(path));

  it.each(['', 'a', '.a', '$a', '$.', '$..a', '$.*', '$[*]', '$[-1]', '$[1:2]', "$['a']", '$["a]', '$.a ', '$[1', '$.0', '$["\\x"]'])(
    'cannot be %j',
    (text) => expect(parseJsonPath(text)).toBeNull(),
  );

  it('find any member of any value', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat({ max: 5 })), { maxLength: 6 }), fc.jsonValue(), (parts, leaf) => {
        const text = `$${parts.map((part) => (typeof part === 'number' ? `[${part}]` : `[${JSON.stringify(part)}]`)).join('')}`;
        expect(parseJsonPath(text)).toEqual(parts);
        const value = parts.reduceRight<unknown>(
          (inner, part) => (typeof part === 'number' ? [...Array<null>(part).fill(null), inner] : Object.fromEntries([[part, inner]])),
          leaf,
        );
        expect(findValueAt(value, parts)).toBe(leaf);
      }),
    );
  });

  it('find nothing that is missing, and no inherited member', () => {
    const value: unknown = JSON.parse('{"a": [1], "n": null}');
    for (const path of ['$.b', '$.a[1]', '$.a.length', '$["a"]["0"]', '$[0]', '$.constructor', '$.n.x', '$.a[0].b'])
      expect(findValueAt(value, parseJsonPath(path) ?? [])).toBeUndefined();
    expect(findValueAt(value, ['n'])).toBeNull();
  });
});

describe('texts of checks', () => {
  const check = (written: object) => bodyCheckSchema.parse(written);

  it('describe the requirement', () => {
    expect(
      [
        { kind: 'contains', text: 'Welcome' },
        { kind: 'matches', pattern: 'a+', flags: 'i', not: true },
        { kind: 'json', path: '$.a' },
        { kind: 'json', path: '$.a', equals: null, not: true },
        { kind: 'size', minBytes: 10 },
        { kind: 'size', minBytes: 10, maxBytes: 20 },
      ].map((written) => describeCheck(check(written))),
    ).toEqual([
      'contains “Welcome”',
      'does not match /a+/i',
      'is JSON in which $.a is there',
      'is JSON in which $.a is not null',
      'has at least 10 B',
      'has 10 B to 20 B',
    ]);
  });

  it('describe the failure from its error name', () => {
    const name = checkError('TEXT_MISSING', checkLabel(check({ kind: 'contains', text: 'ada@example.org' })));
    expect(isCheckError(name)).toBe(true);
    expect(formatErrorName(name)).toBe('wrong content: “ada@example.org” is missing');
    expect(formatErrorName('ECONNREFUSED@connect')).toBe('connection refused (ECONNREFUSED)');
    expect(formatErrorName('EAI_AGAIN@resolve')).toBe('host name not resolved (EAI_AGAIN while resolving the name)');
    expect(isCheckError('ECONNREFUSED@connect')).toBe(false);
    expect(formatErrorName('FROM_LATER x@check')).toBe('wrong content: FROM_LATER x');
    expect(checkError('NO_MATCH', 'x'.repeat(500)).length).toBeLessThan(80);
  });
});
