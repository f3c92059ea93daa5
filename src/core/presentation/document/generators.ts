import { formatLine, generatorSentences, type GeneratorFigures } from '#core/result/generatorSentences.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { LiveGenerator } from '#core/result/liveGenerators.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { dashOr } from './figures.ts';
import { column, numbers, type Passage, table, text } from './model.ts';
import { timeCell } from './words.ts';

/** One of several load generators, with its part of the load. */
export interface GeneratorRow extends GeneratorFigures {
  readonly sent: number;
  readonly ok: number;
  readonly completedPerSecond: number | null;
  readonly lost: RunResult['generators'][number]['lost'];
  readonly overloadedSeconds: number;
}

/** Returns the rows for a running test: rates of the last second, and times since the start. Empty for a single load generator. */
export function liveRows(generators: readonly LiveGenerator[]): GeneratorRow[] {
  if (generators.length < 2) return [];
  return generators.map(({ name, lost, figures }) => {
    const { sent = 0, ok = 0, responded = 0, completedPerSecond = null, bytesPerSecond = null, p50 = null, p90 = null } = figures ?? {};
    const rates = lost === null ? { completedPerSecond, bytesPerSecond } : { completedPerSecond: null, bytesPerSecond: null };
    return { name, lost, sent, ok, responded, ...rates, p50, p90, overloadedSeconds: figures?.overloadedSeconds ?? 0 };
  });
}

/** Returns the rows for a finished run: rates and times of the counted stages. */
function resultRows(generators: RunResult['generators']): GeneratorRow[] {
  return generators.flatMap(({ name, lost, overloadedSeconds, figures }) => {
    if (figures === null) return [];
    const { sent, ok, rates, response } = figures;
    const { completedPerSecond, bytesPerSecond } = rates;
    const { p50, p90 } = response;
    return [{ name, lost, overloadedSeconds, sent, ok, responded: response.count, completedPerSecond, bytesPerSecond, p50, p90 }];
  });
}

/** Returns a table that compares load generators. */
function generatorTable(rows: readonly GeneratorRow[], note?: string): Passage[] {
  return table(
    'Load by place',
    rows,
    [
      column('Place', ({ name }) => capitalizeStart(name)),
      numbers('Sent', ({ sent }) => formatCount(sent)),
      numbers('Successful', ({ ok }) => formatCount(ok)),
      numbers('Responses/s', ({ completedPerSecond }) => dashOr(completedPerSecond, formatNumber)),
      numbers('Received', ({ bytesPerSecond }) => formatLine(bytesPerSecond)),
      numbers('p50', ({ p50 }) => timeCell(p50), { term: 'p50' }),
      numbers('p90', ({ p90 }) => timeCell(p90), { term: 'p90' }),
      column('Overload', ({ lost, overloadedSeconds }) => {
        if (lost !== null) return `lost at ${formatElapsed(lost.second)}`;
        return overloadedSeconds > 0 ? `overloaded for ${formatSeconds(overloadedSeconds)}` : 'not overloaded';
      }),
    ],
    note,
  );
}

/** Compares the load generators of a running test, in sentences and a table. */
export function liveGeneratorBlocks(generators: readonly LiveGenerator[]): Passage[] {
  return generatorBlocks(liveRows(generators), 'Rates of the last second, times since the start.');
}

/** Compares the load generators of a finished run. */
export function resultGeneratorBlocks({ generators }: Pick<RunResult, 'generators'>): Passage[] {
  return generatorBlocks(resultRows(generators));
}

function generatorBlocks(rows: readonly GeneratorRow[], note?: string): Passage[] {
  return rows.length < 2 ? [] : [...generatorSentences(rows).flatMap(text), ...generatorTable(rows, note)];
}
