import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { formatCount, formatMs, formatRate } from '#core/base/units.ts';
import { cellText, type Block, type Report } from '#core/presentation/document/model.ts';
import { headFigures } from '#core/presentation/document/headFigures.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { searchReport } from '#core/presentation/document/searchReport.ts';
import { searchResultSchema } from '#core/search/result.ts';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

const PATIENCE_MS = 120_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000 };

/** Parses a time or a count; returns null for any other text. */
function numberOf(text: string): number | null {
  const [, digits, unit = ''] = /^([\d,.]+) ?(ms|s|min|[kMG]?B(?:\/s)?|%|\/s)?$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const factor = UNITS[unit] ?? { k: 1e3, M: 1e6, G: 1e9 }[unit.charAt(0)] ?? 1;
  return Number(digits.replaceAll(',', '')) * factor;
}

function getBlocks({ sections }: Report): Block[] {
  return sections.flatMap(({ blocks }) => blocks);
}

const ASCENDING = ['Min', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'Max'];

/** Asserts that in each table row percentiles ascend and the mean is at most the maximum. */
function expectOrdered(report: Report): void {
  for (const block of getBlocks(report)) {
    if (block.kind !== 'table') continue;
    for (const row of block.rows) {
      const valueOf = (name: string): number | null => {
        const index = block.columns.findIndex((column) => column.name === name);
        const cell = row[index];
        return cell === undefined ? null : numberOf(cellText(cell));
      };
      const times = ASCENDING.flatMap((name) => valueOf(name) ?? []);
      expect(times, `${block.title}: ${row.map(cellText).join(' ')}`).toEqual([...times].sort((one, other) => one - other));
      const [mean, highest] = [valueOf('Mean'), valueOf('Max')];
      if (mean !== null && highest !== null) expect(mean, `${block.title}: ${row.map(cellText).join(' ')}`).toBeLessThanOrEqual(highest);
    }
  }
}

/** Asserts that the tiles, tables, sentences and JSON of a run show the same number for each quantity. */
function expectOneFigure(result: RunResult, terminal: string): void {
  const report = runReport(result);
  expectOrdered(report);
  const blocks = getBlocks(report);
  const tiles = new Map(
    blocks.flatMap((block) => (block.kind === 'tiles' ? block.tiles.map(({ name, value }) => [name, value] as const) : [])),
  );
  const rate = formatRate(result.rates.completedPerSecond);
  expect(tiles.get('Throughput')).toBe(rate);
  if (result.verdict.outcome === 'passed')
    expect(result.verdict.sentence).toContain(`${rate.replace('/s', '')} successful responses a second`);
  expect(tiles.get('95 % within')).toBe(formatMs(result.latency.response.p95));
  const rowOf = (name: string) =>
    blocks
      .flatMap((block) => (block.kind === 'table' && block.title === 'Latency percentiles' ? block.rows : []))
      .find(([first]) => first === name);
  const shownCells = rowOf('Response time') ?? rowOf('Service time') ?? [];
  expect(shownCells.map(cellText)).toContain(formatMs(result.latency.response.p95));
  expect(shownCells.map(cellText)).toContain(formatMs(result.latency.response.p50));
  const pairs = new Map(blocks.flatMap((block) => (block.kind === 'pairs' ? block.pairs : [])));
  const opened = pairs.get('Connections opened') ?? pairs.get('Connections opened in counted stages');
  expect(opened).toBe(formatCount(result.connectionsOpened));
  const byAddress = Object.values(result.server.addresses).reduce((sum, count) => sum + count, 0);
  expect(pairs.get('Requests by address')).toContain(`(${formatCount(byAddress)})`);
  expect(byAddress).toBe(result.outcomes.requests.sent);
  const page = renderHtml(report).replaceAll(/\u00A0|\u202F|&nbsp;/g, ' ');
  for (const [name, value] of tiles) {
    expect(terminal).toContain(`${name}: ${value}`);
    expect(page).toContain(`<span>${name}</span><strong>${value}</strong>`);
  }
  // The screen shows the same tiles, which the same function creates.
  expect(headFigures(result).map(({ name, value }) => [name, value])).toEqual([...tiles]);
}

it(
  'a figure is the same number in the report, the terminal and JSON, for users, for arrivals, and for the runs of a search',
  async () => {
    const harness = await startHarness();
    const target = await startTarget({ delayMs: 20 });
    const plan = (load: object) => ({
      holdfast: 1,
      name: 'figures',
      targets: [{ url: target.url }],
      journey: [{ name: 'page' }, { name: 'second' }],
      load,
      criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 10_000 }],
    });
    const makeRun = async (...args: string[]): Promise<{ result: RunResult; terminal: string }> => {
      const { out } = await harness.run(...args);
      return { result: resultSchema.parse(JSON.parse(await readFile(join(harness.directory, 'out.json'), 'utf8'))), terminal: out };
    };
    const pause = { kind: 'fixed', seconds: 0.05 };
    const loads = [
      {
        model: 'users',
        thinkTime: pause,
        stages: [
          { users: 4, seconds: 1, counted: false },
          { users: 4, seconds: 2 },
        ],
      },
      {
        model: 'arrivals',
        stages: [
          { kind: 'constant', perSecond: 20, seconds: 1, counted: false },
          { kind: 'constant', perSecond: 30, seconds: 2 },
        ],
      },
    ];
    for (const load of loads) {
      await writeFile(join(harness.directory, 'plan.json'), JSON.stringify(plan(load)));
      const { result, terminal } = await makeRun('run', 'plan.json', '--json', 'out.json');
      expectOneFigure(result, terminal);
    }
    await writeFile(
      join(harness.directory, 'plan.json'),
      JSON.stringify(plan({ model: 'connections', stages: [{ connections: 2, seconds: 1 }] })),
    );
    const options = ['--to', '4', '--seconds', '1s', '--warm-up', '500ms', '--cool-down', '1ms', '--no-recovery', '--json', 'found.json'];
    const searched = await harness.run('breaking-point', 'plan.json', ...options);
    const search = searchResultSchema.parse(JSON.parse(await readFile(join(harness.directory, 'found.json'), 'utf8')));
    const report = searchReport(search);
    expectOrdered(report);
    const rows = getBlocks(report).flatMap((block) => (block.kind === 'table' && block.title === 'Runs in order' ? block.rows : []));
    const levels = search.runs.filter(({ purpose }) => purpose === 'level');
    for (const [position, { runId, reading }] of levels.entries()) {
      if (runId === null || reading?.kind !== 'level') continue;
      const shown = await harness.run('show', runId);
      const { out } = await harness.run('show', runId, '--json');
      const result = resultSchema.parse(JSON.parse(out));
      expectOneFigure(result, shown.out);
      expect([reading.p95, reading.p50]).toEqual([result.latency.response.p95, result.latency.response.p50]);
      expect(reading.isSure).toBe(result.verdict.outcome !== 'inconclusive');
      const row = rows[position]?.map(cellText) ?? [];
      for (const value of [formatRate(reading.okPerSecond), formatMs(reading.meanMs), formatMs(result.latency.response.p95)]) {
        expect(row).toContain(value);
        expect(searched.out).toContain(value);
      }
      const { outcome } = result.verdict;
      expect(row[1]).toMatch(outcome === 'inconclusive' ? /^Inconclusive, / : outcome === 'passed' ? /^Passed/ : /^Failed/);
    }
  },
  PATIENCE_MS,
);
