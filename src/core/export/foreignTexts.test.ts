import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseValue } from '#core/review/check.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { EXPORT_KINDS } from './exported.ts';
import { exportPlan } from './exportPlan.ts';

/** Texts that end a string, comment, literal or word in one of the output languages and continue with code. */
const PAYLOADS = [
  `');globalThis.CANARY=1;('`,
  `");globalThis.CANARY=1;("`,
  '`);globalThis.CANARY=1;(`',
  '${globalThis.CANARY=1}',
  '*/globalThis.CANARY=1;/*',
  '\nglobalThis.CANARY=1;//',
  '\u2028globalThis.CANARY=1;//',
  '\\',
  `\\');globalThis.CANARY=1;//`,
  '</script>',
  ']]>',
  '{{ $processEnvironment.CANARY }}',
  '{{{ $env.CANARY }}}',
  '$(touch CANARY)',
  '`touch CANARY`',
  "'$(touch CANARY)'",
  '"; touch CANARY; "',
  '\ntouch CANARY\n',
  '__proto__',
  '\ud800',
  '!!js/function CANARY',
  '*CANARY',
];

const load = { k6: 'arrivals', artillery: 'arrivals', curl: 'connections', ab: 'connections' } as const;
const loads = {
  arrivals: { model: 'arrivals', stages: [{ kind: 'constant', name: 'TEXT', perSecond: 1, seconds: 5 }] },
  connections: { model: 'connections', stages: [{ name: 'TEXT', connections: 1, requests: 5 }] },
} satisfies Record<string, PlanInput['load']>;

/** Returns a plan with `TEXT` in every position that accepts text. */
const places = (kind: keyof typeof load): PlanInput => ({
  holdfast: 1,
  name: 'TEXT',
  story: 'TEXT',
  claim: 'TEXT',
  targets: [{ url: 'http://a.example/TEXT', cookie: 'TEXT', headers: { 'X-T': 'TEXT' } }],
  journey: [
    {
      name: 'TEXT',
      method: 'POST',
      path: '/TEXT?TEXT',
      headers: { 'X-S': 'TEXT' },
      query: { TEXT: 'TEXT' },
      ...(kind === 'ab' ? { body: 'TEXT' } : { form: { TEXT: 'TEXT', a: 'TEXT' } }),
      ...(kind === 'ab' || kind === 'curl'
        ? {}
        : {
            checks: [
              { kind: 'contains', text: 'TEXT' },
              { kind: 'matches', pattern: 'TEXT' },
              { kind: 'json', path: '$.a', equals: 'TEXT' },
            ],
            captures: [
              { as: 'b', from: 'between', after: 'TEXT', before: 'TEXT' },
              { as: 'c', from: 'body', pattern: 'TEXT(.)' },
              { as: 'd', from: 'json', path: '$["TEXT"]' },
            ],
          }),
    },
  ],
  ...(kind === 'ab' || kind === 'curl' ? {} : { variables: { v: { kind: 'item', of: ['TEXT', 'b'] } } }),
  load: loads[load[kind]],
  criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 100, step: 'TEXT' }],
  omits: ['TEXT'],
});

/** Returns the plan with the payload in one position and harmless texts in all others. */
function withPayload(input: PlanInput, place: number, payload: string): { input: unknown; places: number } {
  let position = 0;
  const filled = (text: string): string =>
    text.replaceAll('TEXT', () => {
      position += 1;
      return position - 1 === place ? payload : 'plain';
    });
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return filled(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [filled(name), walk(member)]));
  };
  return { input: walk(input), places: position };
}

describe('text of a plan', () => {
  it.each(EXPORT_KINDS)('never becomes code in an export for %s', (kind) => {
    const template = places(kind);
    const { places: count, input } = withPayload(template, -1, '');
    expect(parseValue(input).issues.filter(({ level }) => level === 'error')).toEqual([]);
    let exported = 0;
    for (let place = 0; place < count; place += 1)
      for (const payload of PAYLOADS) {
        const { plan } = parseValue(withPayload(template, place, payload).input);
        const result = plan === null ? null : exportPlan(kind, plan);
        if (result?.kind !== 'exported') continue;
        exported += 1;
        expectHarmless[kind](result.exported.text, `${payload} in place ${place}`);
      }
    expect(exported).toBeGreaterThan(count * 3);
  });
});

const expectHarmless: Readonly<Record<(typeof EXPORT_KINDS)[number], (text: string, what: string) => void>> = {
  k6: (text, what) => {
    expect(namesIn(parseAst(text)), `${what}\n${text}`).not.toContain('CANARY');
    expect(text, what).not.toMatch(/[\u2028\u2029]/);
  },
  artillery: (text, what) => {
    const document: unknown = parse(text);
    expect(Object.keys(document ?? {}), what).toEqual(['config', 'scenarios']);
    expect(JSON.stringify(document), what).not.toMatch(/\{\{[^}]*CANARY/);
  },
  curl: (text, what) => expect(unquoted(text), `${what}\n${text}`).not.toContain('CANARY'),
  ab: (text, what) => expect(unquoted(text), `${what}\n${text}`).not.toContain('CANARY'),
};

/** Returns the parts of a shell text that are outside single quotes. */
function unquoted(text: string): string {
  return text.replaceAll(/'[^']*'|\\[\s\S]/g, '');
}

/** Returns the identifiers of a program. */
function namesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'type' in node && node.type === 'Identifier' && 'name' in node ? [String(node.name)] : [];
  return [...own, ...Object.values(node).flatMap(namesIn)];
}
