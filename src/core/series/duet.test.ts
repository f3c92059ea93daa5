import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { checkPlan } from '#core/review/check.ts';
import type { DuetResult } from '#core/result/duet.ts';
import { listTurns, expandSeries } from './cells.ts';
import { checkSeries } from './check.ts';
import { buildSeriesResult } from './buildSeriesResult.ts';
import { listStatedDifferences } from './differences.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const variants = [
  { name: 'base', targets: [{ url: 'http://127.0.0.1:1/' }], before: ['start base'] },
  {
    name: 'head',
    targets: [{ url: 'http://127.0.0.1:2/', headers: { 'x-variant': 'head' } }],
    before: ['start head'],
    after: ['stop head'],
  },
];
const makeDuet = (series: object = {}, plan: Partial<PlanInput> = {}) =>
  documentWith(seriesSchema.parse({ variants, duet: true, ...series }), plan);
const codes = (series: object, plan: Partial<PlanInput> = {}): string[] => checkSeries(makeDuet(series, plan)).map(({ code }) => code);

describe('a series with a duet', () => {
  const plan: Partial<PlanInput> = {
    journey: [{ name: 'start' }, { name: 'order', method: 'POST', confirms: 'start' }],
    flow: ['start', { repeat: 2, flow: ['order'] }],
    criteria: [{ kind: 'errors', step: 'order', maxShare: 0.01 }],
  };

  it('has one cell for both variants, with every step once for each server', () => {
    const document = makeDuet({ slotMs: 250 }, plan);
    expect(checkSeries(document)).toEqual([]);
    const { cells, engine } = expandSeries(document);
    expect(listTurns(document.series)).toEqual([{ cell: 0, repeat: 1 }]);
    expect([cells.length, engine.name]).toEqual([1, 'native']);
    const [cell] = cells;
    if (cell === undefined) throw new Error('There is a cell.');
    expect(cell).toMatchObject({ name: 'base and head', variant: null, problem: null });
    expect(cell.before.map(({ run }) => run)).toEqual(['start base', 'start head']);
    expect(cell.plan.duet).toEqual({ variants: ['base', 'head'], slotMs: 250 });
    expect(cell.plan.journey.map(({ name, target, confirms }) => [name, target, confirms])).toEqual([
      ['start · base', 'variant-1', undefined],
      ['order · base', 'variant-1', ['start · base']],
      ['start · head', 'variant-2', undefined],
      ['order · head', 'variant-2', ['start · head']],
    ]);
    expect(cell.plan.namedTargets).toMatchObject({ 'variant-2': { url: 'http://127.0.0.1:2/', headers: { 'x-variant': 'head' } } });
    expect(cell.plan.criteria).toMatchObject([{ step: 'order · base' }, { step: 'order · head' }]);
    expect(checkPlan(cell.plan).filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('has a cell for each level of the load', () => {
    expect(expandSeries(makeDuet({ levels: { connections: [1, 9] } })).cells.map(({ name }) => name)).toEqual([
      'base and head · 1 connection',
      'base and head · 9 connections',
    ]);
  });

  it.each<[string, object, Partial<PlanInput>, string]>([
    ['three variants', { variants: [...variants, { name: 'third' }] }, {}, 'DUET_OF_TWO'],
    ['a single variant', { variants: variants.slice(0, 1), repeats: 2 }, {}, 'DUET_OF_TWO'],
    [
      'several targets of a variant',
      { variants: [{ name: 'a', targets: [{ url: 'http://a/' }, { url: 'http://b/' }] }, variants[1]] },
      {},
      'DUET_TARGETS',
    ],
    ['generators of a variant', { variants: [{ ...variants[0], on: ['here'] }, variants[1]] }, {}, 'DUET_ON'],
    ['a login that users keep', {}, { journey: [{ name: 'login', once: true }, { name: 'page' }] }, 'DUET_KEEPS_LOGINS'],
    ['counts of the target', {}, { watch: [{ name: 'rows', url: 'http://127.0.0.1:1/count' }] }, 'DUET_FIELD'],
  ])('refuses %s', (_name, series, changes, code) => expect(codes(series, changes)).toContain(code));

  it('refuses k6, and a plan whose flow is no choice between two variants', () => {
    const listCodes = (changes: object): string[] => {
      const [cell] = expandSeries(makeDuet({}, plan)).cells;
      if (cell === undefined) throw new Error('There is a cell.');
      return checkPlan({ ...cell.plan, ...changes }).map(({ code }) => code);
    };
    expect(listCodes({ engine: 'k6' })).toContain('DUET_ENGINE');
    expect(listCodes({ flow: ['start · base', 'order · base', 'start · head', 'order · head'] })).toContain('DUET_FLOW');
  });

  it('states the difference of the duet', () => {
    const duet: DuetResult = {
      slotMs: 100,
      sides: [
        { name: 'base', ok: 300, failed: 0, typicalMs: 20 },
        { name: 'head', ok: 300, failed: 0, typicalMs: 22 },
      ],
      pairs: 30,
      change: { value: 0.1, low: 0.07, high: 0.13 },
      conclusion: 'slower',
    };
    const head = {
      id: 's-1',
      name: 'A test',
      startedAt: '2026-01-01T12:00:00.000Z',
      endedAt: '2026-01-01T12:10:00.000Z',
      state: 'finished' as const,
      endedBecause: null,
    };
    const result = buildSeriesResult(head, makeDuet(), [cellRun('base and head', 1, { figures: figuresWith({ duet }) })]);
    expect(listStatedDifferences(result)).toEqual([
      { judgement: 'differs', text: '“head” is slower than “base” by 10 % (99 % interval 7 % to 13 %).' },
    ]);
    expect(result.notes).toEqual([]);
  });
});
