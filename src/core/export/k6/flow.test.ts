import { describe, expect, it } from 'vitest';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { playK6 } from '../testing/k6StandIn.ts';
import { made } from '../testing/madeScript.ts';

describe('k6 script', () => {
  const feeds: NonNullable<Plan['feeds']> = { accounts: { file: 'a.csv', separator: ',', order: 'unique', secret: [] } };
  const rows = {
    accounts: {
      columns: ['name', 'pass word'],
      rows: [
        ['ada', '1'],
        ['bob', '2'],
        ['eve', '3'],
      ],
      order: 'unique' as const,
    },
  };
  const journey = [
    { name: 'p', method: 'POST' as const, json: { n: '{{accounts.name}}', id: '{{id}}', again: '{{id}}', fix: [1, null, 'x`${y}\\'] } },
  ];
  const variables: PlanInput['variables'] = { id: { kind: 'uuid' } };

  it('takes one set of feed rows for each user', () => {
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 3, seconds: 1 }] };
    const { script, files } = made({ journey, variables, feeds, load }, { feeds: rows });
    expect(files.map(({ path }) => path)).toEqual(['accounts.json']);
    const { requests } = playK6(script, { files: { 'accounts.json': files[0]?.content ?? '' }, latencySeconds: 0.6 });
    const bodies = requests.map(({ body }) => JSON.parse(String(body)) as { n: string; id: string; again: string; fix: unknown });
    expect(new Set(bodies.map(({ n }) => n))).toEqual(new Set(['ada', 'bob', 'eve']));
    expect(bodies.every(({ id, again }) => id === again)).toBe(true);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(6);
    expect(bodies[0]?.fix).toEqual([1, null, 'x`${y}\\']);
  });

  it('ends arrivals when the rows of a feed are used up', () => {
    const load: PlanInput['load'] = {
      model: 'arrivals',
      stages: [
        { kind: 'count', arrivals: 2, seconds: 1 },
        { kind: 'count', arrivals: 2, seconds: 1 },
      ],
    };
    const { script, files } = made({ journey, variables, feeds, load }, { feeds: rows });
    const { requests } = playK6(script, { files: { 'accounts.json': files[0]?.content ?? '' } });
    expect(requests.map(({ body }) => (JSON.parse(String(body)) as { n: string }).n)).toEqual(['ada', 'bob', 'eve']);
  });

  it('chooses branches by the weights of the flow', () => {
    const load: PlanInput['load'] = {
      model: 'arrivals',
      stages: [
        { name: 'early', kind: 'count', arrivals: 400, seconds: 400 },
        { name: 'late', kind: 'count', arrivals: 400, seconds: 400 },
      ],
    };
    const { script } = made({
      journey: [
        { name: 'list', captures: [{ from: 'json', as: 'items', path: '$', which: 'all' }] },
        { name: 'item', path: 'item/{{item}}' },
        { name: 'rare', path: 'rare' },
      ],
      flow: [
        'list',
        {
          choose: [
            { weight: 3, flow: [{ forEach: 'items', as: 'item', atMost: 2, flow: ['item'] }] },
            { weight: 1, flow: ['rare'], weightIn: { late: 0 } },
          ],
        },
      ],
      load,
    });
    const { requests } = playK6(script, { server: ({ tags }) => (tags['name'] === 'list' ? { body: '["a","b/c",3]' } : {}) });
    const early = requests.filter(({ tags, atSecond }) => tags['name'] === 'rare' && atSecond < 400).length;
    expect(early).toBeGreaterThan(60);
    expect(early).toBeLessThan(140);
    expect(requests.filter(({ tags, atSecond }) => tags['name'] === 'rare' && atSecond > 401)).toEqual([]);
    expect(new Set(requests.filter(({ tags }) => tags['name'] === 'item').map(({ url }) => url.split('item/')[1]))).toEqual(
      new Set(['a', 'b%2Fc']),
    );
  });
});
