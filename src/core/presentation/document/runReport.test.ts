import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { planWith } from '#core/testing/plans.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { arrivalsResult, sampleResult } from '#core/result/testing/sampleResult.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import type { PageFigures } from '#core/result/pages.ts';
import { formatText } from '../text/textReport.ts';
import type { Block, BlockOf, Report } from './model.ts';
import { planText } from './planText.ts';
import { runReport } from './runReport.ts';

function findBlocks<Kind extends Block['kind']>(report: Report, id: string, kind: Kind): BlockOf<Kind>[] {
  const blocks = report.sections.find((section) => section.id === id)?.blocks ?? [];
  return blocks.filter((block): block is BlockOf<Kind> => block.kind === kind);
}

const validity = (result: RunResult): string =>
  findBlocks(runReport(result), 'validity', 'list')
    .flatMap(({ items }) => items)
    .join('\n');

describe('the report of a run', () => {
  it('begins with the verdict, four figures and two charts', () => {
    const report = runReport(sampleResult());
    expect(report.sections[0]?.id).toBe('result');
    expect(report.sections[0]?.blocks[0]).toMatchObject({ kind: 'verdict', outcome: 'passed' });
    expect(findBlocks(report, 'result', 'tiles')[0]?.tiles.map(({ name, value }) => [name, value])).toEqual([
      ['Load', '50 connections'],
      ['Throughput', '200/s'],
      ['95 % within', '74 ms'],
      ['Failed', '12'],
    ]);
    expect(findBlocks(report, 'result', 'chart').map(({ chart }) => chart.title)).toEqual(['Throughput', 'Latency']);
  });

  it('shows each criterion once, in the table of measured values', () => {
    const { sections } = runReport(sampleResult());
    const titles = sections.flatMap(({ id, blocks }) => blocks.flatMap((block) => ('title' in block ? [`${id}: ${block.title}`] : [])));
    expect(titles.filter((title) => title.includes('Pass criteria'))).toEqual(['criteria: Pass criteria and measured values']);
  });

  it('has no repeated title within a section', () => {
    const events = [{ second: 3, kind: 'note' as const, text: 'The run was stopped.' }];
    for (const { title, blocks } of runReport({ ...sampleResult(), events }).sections) {
      const titles = [title, ...blocks.flatMap((block) => ('title' in block ? [block.title] : []))];
      expect(titles).toEqual([...new Set(titles)]);
    }
  });

  it('has sections for evidence, method, validity, machines and the plan, with unique ids', () => {
    const { sections } = runReport(sampleResult());
    expect(sections.map(({ id }) => id)).toEqual([
      'result',
      'criteria',
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

  it('shows “never” for a percentile of failed requests, and counts arrivals that were not started', () => {
    const report = runReport(arrivalsResult());
    const times = findBlocks(report, 'figures', 'table').find(({ title }) => title === 'Latency percentiles');
    expect(times?.rows.map(([name]) => name)).toContain('Response time');
    expect(times?.rows.find(([name]) => name === 'Failures counted as timeouts')).toContain('never');
    expect(validity(arrivalsResult())).toContain('2,480 planned arrivals were not started because too many requests were in flight');
  });

  it('states the limits of the result that follow from the run', () => {
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

  it('counts single seconds of overload, even in a long run', () => {
    const [second] = sampleResult().windows;
    if (second === undefined) throw new Error('the sample has no windows');
    const windows = Array.from({ length: 3_600 }, (_, index): Point => ({
      ...second,
      second: index,
      overloadedBy: index === 1_800 ? ['threadCpu'] : [],
    }));
    expect(validity(sampleResult({ windows }))).toContain('The load generator was overloaded for 1 s');
  });

  it('has no charts if nothing was sent', () => {
    const empty = sampleResult({ windows: [], stages: [], steps: [], criteria: [], generators: [], durationSeconds: null });
    const report = runReport({ ...empty, outcomes: { ...empty.outcomes, requests: emptyRequestOutcomes() } });
    expect(findBlocks(report, 'result', 'chart')).toEqual([]);
    expect(findBlocks(report, 'result', 'tiles')[0]?.tiles.at(-1)?.note).toBe('no requests sent');
  });
});

describe('the main figures of a report', () => {
  const times = { ...sampleResult().latency.response, p95: 1_220 };
  const figures: PageFigures = {
    started: 400,
    complete: 390,
    incomplete: 10,
    times,
    errorAdjusted: times,
    completePerSecond: 4.2,
    thresholdMs: 1_500,
    pageApdex: { value: 0.9, counted: 400 },
    requestApdex: { value: 0.99, counted: 4_000 },
  };
  const pages: RunResult['pages'] = {
    content: { pages: 1, resources: { css: 0, script: 0, image: 9, icon: 0, font: 0 } },
    all: figures,
    steps: [],
    stages: [],
    leftOut: {},
  };

  it('are about whole pages if the test fetched them, with requests in the notes', () => {
    const report = runReport(sampleResult({ pages }));
    expect(findBlocks(report, 'result', 'tiles')[0]?.tiles.slice(1)).toEqual([
      { name: 'Whole pages', value: '4.2/s', note: '200 responses/s, 60,012 requests sent' },
      { name: 'Whole pages, p95', value: '1.22 s', note: 'requests: 74 ms' },
      { name: 'Incomplete pages', value: '10', note: 'of 400; 12 requests failed' },
    ]);
    expect(findBlocks(report, 'figures', 'table')[0]?.title).toBe('Whole pages with all linked resources');
    expect(findBlocks(report, 'result', 'chart').map(({ chart }) => chart.about)).toContain('service time of requests');
    expect(formatText(sampleResult({ pages }))).toContain('Whole pages, p95: 1.22 s (requests: 74 ms)');
  });

  it('have no charts beside them if the run has only one second', () => {
    const [second] = sampleResult().windows;
    const report = runReport(sampleResult({ windows: second === undefined ? [] : [second], durationSeconds: 0.6 }));
    expect(report.sections.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'chart')).toEqual([]);
    expect(findBlocks(report, 'result', 'tiles')[0]?.tiles).toHaveLength(4);
  });
});

describe('the headings of a report', () => {
  it('begin with a capital letter, even for monitors of this computer', () => {
    const machine: RunResult['monitors'][number] = {
      number: 0,
      name: 'this computer',
      kind: 'machine',
      role: 'generator',
      host: null,
      limits: [],
      state: 'ended',
      problem: null,
      errorMs: 1,
      quantities: [...MACHINE_CATALOGUE.quantities],
      second: [0, 1],
      width: [1, 1],
      values: { 'timeWait.to:127.0.0.1:54330': [1_176, 1_180] },
    };
    const { sections } = runReport(sampleResult({ monitors: [machine] }));
    const headings = sections.flatMap(({ title, blocks }) => [
      title,
      ...blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : 'title' in block ? [block.title] : [])),
    ]);
    expect(headings).toContain('This computer (load generator)');
    for (const heading of headings) expect(heading).toMatch(/^[A-Z]/);
  });
});

describe('the plan in a report', () => {
  it('can be read as the same plan, and has no default values', () => {
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
