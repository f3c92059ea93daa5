import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/parse.ts';
import { planWith } from '#core/testing/plans.ts';
import { emptyRequestLedger } from '#core/measurement/ledger.ts';
import { arrivalsResult, sampleResult } from '#core/result/testing/sampleResult.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import type { Block, BlockOf, Report } from './model.ts';
import { planText } from './planText.ts';
import { runReport } from './runReport.ts';

function blocksOf<Kind extends Block['kind']>(report: Report, id: string, kind: Kind): BlockOf<Kind>[] {
  const blocks = report.sections.find((section) => section.id === id)?.blocks ?? [];
  return blocks.filter((block): block is BlockOf<Kind> => block.kind === kind);
}

const validity = (result: RunResult): string =>
  blocksOf(runReport(result), 'validity', 'list')
    .flatMap(({ items }) => items)
    .join('\n');

describe('the report of a run', () => {
  it('answers first, with the four numbers and two charts', () => {
    const report = runReport(sampleResult());
    expect(report.sections[0]?.id).toBe('answer');
    expect(report.sections[0]?.blocks[0]).toMatchObject({ kind: 'verdict', outcome: 'holds' });
    expect(blocksOf(report, 'answer', 'tiles')[0]?.tiles.map(({ name, value }) => [name, value])).toEqual([
      ['Load', '50 connections'],
      ['Throughput', '200/s'],
      ['95 % within', '74 ms'],
      ['Failed', '12'],
    ]);
    expect(blocksOf(report, 'answer', 'chart').map(({ chart }) => chart.title)).toEqual(['Throughput', 'Latency']);
  });

  it('has evidence, method, limits of validity, machines and the plan, each under its own name', () => {
    const { sections } = runReport(sampleResult());
    expect(sections.map(({ id }) => id)).toEqual([
      'answer',
      'limits',
      'findings',
      'charts',
      'figures',
      'method',
      'validity',
      'machines',
      'repeat',
    ]);
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    for (const { blocks } of sections) expect(blocks.length).toBeGreaterThan(0);
  });

  it('says never where failures leave no number, and counts what did not begin', () => {
    const report = runReport(arrivalsResult());
    const times = blocksOf(report, 'figures', 'table').find(({ title }) => title === 'Latency percentiles');
    expect(times?.rows.map(([name]) => name)).toContain('Response time');
    expect(times?.rows.find(([name]) => name === 'Failures counted as timeouts')).toContain('never');
    expect(validity(arrivalsResult())).toContain('2,480 planned arrivals were not started because too many requests were in flight');
  });

  it('says what it does not say, from what happened', () => {
    const calm = validity(sampleResult());
    expect(calm).toContain('Not tested: handing in a solution.');
    expect(calm).toContain('The load generator was overloaded for 4 s');
    expect(calm).toContain('One run does not show how much runs vary.');
    expect(calm).not.toContain('The run ended early');
    const cut = sampleResult();
    const stopped = validity({ ...cut, balances: false, run: { ...cut.run, endedBecause: { code: 'user', text: 'You stopped it.' } } });
    expect(stopped).toContain('do not add up');
    expect(stopped).toContain('The run ended early');
  });

  it('counts the seconds in which the generator was busy one by one, however long the run was', () => {
    const [second] = sampleResult().windows;
    if (second === undefined) throw new Error('the sample has no windows');
    const windows = Array.from({ length: 3_600 }, (_, index): Point => ({
      ...second,
      second: index,
      sick: index === 1_800 ? ['threadCpu'] : [],
    }));
    expect(validity(sampleResult({ windows }))).toContain('The load generator was overloaded for 1 s');
  });

  it('has something to say of a run that sent nothing', () => {
    const empty = sampleResult({ windows: [], stages: [], steps: [], objectives: [], generators: [], durationSeconds: null });
    const report = runReport({ ...empty, ledger: { ...empty.ledger, requests: emptyRequestLedger() } });
    expect(blocksOf(report, 'answer', 'chart')).toEqual([]);
    expect(blocksOf(report, 'answer', 'tiles')[0]?.tiles.at(-1)?.note).toBe('no requests sent');
  });
});

describe('the plan in a report', () => {
  it('is read back as the same plan, without what goes without saying', () => {
    const plan = planWith({
      journey: [
        { name: 'login', method: 'POST', form: { user: '{{user}}' }, expectStatus: [302] },
        { name: 'page', path: 'a?c=:#%20', checks: [{ kind: 'contains', text: 'Welcome: “you”\n' }] },
      ],
      targets: [{ url: 'http://127.0.0.1:8080/', headers: { Authorization: { secret: 'env:TOKEN' } } }],
      variables: { user: { kind: 'item', of: ['ada', 'bob'] } },
      seed: 7,
    });
    const text = planText(plan);
    expect(parsePlan(text)).toMatchObject({ plan });
    expect(text).not.toMatch(/redirects|connections: *\{|timeoutSeconds/);
  });
});
