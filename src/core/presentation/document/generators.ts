import { lineWords, generatorSentences, type GeneratorFigures } from '#core/result/generatorSentences.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { LiveGenerator } from '#core/result/liveGenerators.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { dashOr } from './figures.ts';
import { column, numbers, type Passage, table, text } from './model.ts';
import { timeCell } from './words.ts';

/** One of several places, with its part of the load. */
export interface GeneratorRow extends GeneratorFigures {
  readonly sent: number;
  readonly ok: number;
  readonly completedPerSecond: number | null;
  readonly lost: RunResult['generators'][number]['lost'];
  readonly sickSeconds: number;
}

/** Of a run that goes: rates of the newest second, times since the start. None where one place makes all of the load. */
export function liveRows(generators: readonly LiveGenerator[]): GeneratorRow[] {
  if (generators.length < 2) return [];
  return generators.map(({ name, lost, figures }) => {
    const { sent = 0, ok = 0, answered = 0, completedPerSecond = null, bytesPerSecond = null, p50 = null, p90 = null } = figures ?? {};
    const rates = lost === null ? { completedPerSecond, bytesPerSecond } : { completedPerSecond: null, bytesPerSecond: null };
    return { name, lost, sent, ok, answered, ...rates, p50, p90, sickSeconds: figures?.sickSeconds ?? 0 };
  });
}

/** Of a run that has ended: rates and times of the stages that count. */
function resultRows(generators: RunResult['generators']): GeneratorRow[] {
  return generators.flatMap(({ name, lost, sickSeconds, figures }) => {
    if (figures === null) return [];
    const { sent, ok, rates, response } = figures;
    const { completedPerSecond, bytesPerSecond } = rates;
    const { p50, p90 } = response;
    return [{ name, lost, sickSeconds, sent, ok, answered: response.count, completedPerSecond, bytesPerSecond, p50, p90 }];
  });
}

/** What each of several places has of the load, beside each other. */
function generatorTable(rows: readonly GeneratorRow[], note?: string): Passage[] {
  return table(
    'Load by place',
    rows,
    [
      column('Place', ({ name }) => atStart(name)),
      numbers('Sent', ({ sent }) => formatCount(sent)),
      numbers('Successful', ({ ok }) => formatCount(ok)),
      numbers('Responses/s', ({ completedPerSecond }) => dashOr(completedPerSecond, formatNumber)),
      numbers('Received', ({ bytesPerSecond }) => lineWords(bytesPerSecond)),
      numbers('p50', ({ p50 }) => timeCell(p50), { term: 'p50' }),
      numbers('p90', ({ p90 }) => timeCell(p90), { term: 'p90' }),
      column('Overload', ({ lost, sickSeconds }) => {
        if (lost !== null) return `lost at ${formatElapsed(lost.second)}`;
        return sickSeconds > 0 ? `overloaded for ${formatSeconds(sickSeconds)}` : 'not overloaded';
      }),
    ],
    note,
  );
}

/** What the places tell while the load goes: in words, then in figures. */
export function liveGeneratorBlocks(generators: readonly LiveGenerator[]): Passage[] {
  return generatorBlocks(liveRows(generators), 'Rates of the last second, times since the start.');
}

/** What the places tell when they are compared, of a run that has ended. */
export function resultGeneratorBlocks({ generators }: Pick<RunResult, 'generators'>): Passage[] {
  return generatorBlocks(resultRows(generators));
}

function generatorBlocks(rows: readonly GeneratorRow[], note?: string): Passage[] {
  return rows.length < 2 ? [] : [...generatorSentences(rows).flatMap(text), ...generatorTable(rows, note)];
}
