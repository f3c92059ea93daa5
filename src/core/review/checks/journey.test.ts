import { describe, expect, it } from 'vitest';
import { checkPlan, parseValue } from '../check.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';

function codes(step: Partial<PlanInput['journey'][number]>, changes: Partial<PlanInput> = {}): string[] {
  return parseValue(planWith(step, changes)).issues.map(({ code, path }) => `${code} ${path}`);
}

function planWith(step: Partial<PlanInput['journey'][number]>, changes: Partial<PlanInput> = {}): PlanInput {
  return {
    holdfast: 1,
    name: 'pages',
    targets: [{ url: 'http://localhost/' }],
    journey: [{ name: 'home', resources: {}, ...step }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1_000 }] },
    ...changes,
  };
}

describe('pages of a plan', () => {
  it('must be requested once, with a body, in the journey', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ method: 'HEAD' })).toContain('PAGE_WITHOUT_BODY journey[0].resources');
    expect(codes({ poll: { until: [{ kind: 'contains', text: 'x' }] } })).toContain('PAGE_IS_POLLED journey[0].resources');
    expect(codes({ measured: false }).some((issue) => issue.includes('journey[0]'))).toBe(true);
    expect(codes({ resources: { kinds: ['css', 'css'] } })).toContain('KIND_TWICE journey[0].resources.kinds');
  });

  it.each(['cdn.example.org', 'CDN.example.org:8443', '127.0.0.1:80', '[::1]:8080', 'localhost'])('may name the host %s', (host) => {
    expect(codes({ resources: { otherHosts: [host] } })).toEqual([]);
  });

  it.each(['http://cdn.example.org', 'cdn.example.org/x', 'a b', 'cdn.example.org:99999', '[::x]', ''])('may not name %s', (host) => {
    expect(codes({ resources: { otherHosts: [host] } })).not.toEqual([]);
  });

  it('need resources if criteria are about pages', () => {
    const criteria: PlanInput['criteria'] = [{ kind: 'errors', of: 'pages', maxShare: 0.05 }];
    expect(codes({}, { criteria })).toEqual([]);
    const none = planSchema.parse({ ...planWith({}, { criteria }), journey: [{ name: 'home' }] });
    expect(checkPlan(none).map(({ code }) => code)).toContain('NO_PAGES');
  });
});

it('stored items: the marker must be sent or captured by its step', () => {
  const stored = (marker: string) => [{ name: 'orders', step: 'home', url: 'http://localhost/orders', marker }];
  const variables: PlanInput['variables'] = { order: { kind: 'uuid' }, other: { kind: 'uuid' } };
  const makeCodes = (marker: string) =>
    codes(
      { query: { id: '{{order}}' }, captures: [{ from: 'json', as: 'number', path: '$.number' }], resources: undefined },
      { variables, stored: stored(marker) },
    ).filter((code) => code.startsWith('NOT_A_MARKER'));
  expect([makeCodes('{{order}}'), makeCodes('no-{{number}}')]).toEqual([[], []]);
  expect([makeCodes('{{other}}'), makeCodes('fixed')]).toEqual([['NOT_A_MARKER stored[0].marker'], ['NOT_A_MARKER stored[0].marker']]);
});

describe('a step that reads a list in pages', () => {
  const again = { while: 'skip' };
  const next = { from: 'json', as: 'skip', path: '$.next', otherwise: '' } as const;
  const makeCodes = (step: Partial<PlanInput['journey'][number]>): string[] =>
    codes({ resources: undefined, query: { skip: '{{skip}}' }, again, captures: [next], ...step });

  it('must use its own capture, which is empty on the last page', () => {
    expect(makeCodes({})).toEqual([]);
    expect(makeCodes({ captures: [{ ...next, as: 'other' }] })).toContain('AGAIN_WITHOUT_CAPTURE journey[0].again.while');
    expect(makeCodes({ captures: [{ from: 'json', as: 'skip', path: '$.next' }] })).toEqual(['AGAIN_WITHOUT_END journey[0].again.while']);
  });

  it('cannot poll or load resources', () => {
    expect(makeCodes({ poll: { until: [{ kind: 'contains', text: 'x' }] } })).toContain('NOT_WITH_AGAIN journey[0].poll');
    expect(makeCodes({ resources: {} })).toContain('NOT_WITH_AGAIN journey[0].resources');
  });
});
