import { checkPlan } from '#core/review/check.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import type { CellCommand, Series, SeriesDocument, Variant } from '#core/plan/schema/series.ts';
import { engineForAll, type EngineName, OWN_ENGINES } from '#core/review/engines/engineFor.ts';
import { schemaIssues } from '#core/plan/schemaIssues.ts';
import { duetName, duetVariants, toDuetPlan } from './duet.ts';
import { applyLevel, type LevelChange, levelName, levelsOf } from './levels.ts';
import type { CellRun } from './result.ts';

/** The engine of every cell, and the reason in a sentence. */
interface EngineChoice {
  readonly name: EngineName;
  readonly reason: string;
}

/**
 * Chooses one engine for all cells, so that figures do not differ because of the engine: that of the plan, or else the first that supports
 * all cells.
 */
function chooseEngine(cells: readonly { readonly name: string; readonly plan: Plan }[]): EngineChoice {
  const named = cells[0]?.plan.engine ?? 'auto';
  if (named !== 'auto') return { name: named, reason: `The ${named} engine runs every cell, as the plan says.` };
  const { name } = engineForAll(cells.map(({ plan }) => plan));
  const [preferred] = OWN_ENGINES;
  if (name === preferred.name) return { name, reason: `The ${name} engine runs every cell.` };
  const [hindrance] = cells.flatMap((cell) =>
    preferred.listHindrances(cell.plan).map(({ message }) => `for “${cell.name}”, ${preferred.name} ${message}`),
  );
  return { name, reason: `The ${name} engine runs every cell: ${hindrance}.` };
}

/** One cell of the table: a variant at a level. */
export interface SeriesCell {
  /** Name of the cell, unique in the table and in the store. */
  readonly name: string;
  /** Name of the variant; null if the series has no variants. */
  readonly variant: string | null;
  readonly factors: Variant['factors'];
  readonly level: LevelChange;
  /** Plan of the cell: that of the series with this variant's targets, this level and the common engine. */
  readonly plan: Plan;
  /** Names of the cell's load generators; null if there is only this computer. */
  readonly on: readonly string[] | null;
  /** Reason why the cell cannot be run, for example that 100 connections cannot share ten requests; null if it can. */
  readonly problem: string | null;
  readonly before: readonly CellCommand[];
  readonly after: readonly CellCommand[];
}

interface ExpandedSeries {
  readonly cells: readonly SeriesCell[];
  readonly engine: EngineChoice;
}

/** Name of the cell of a series without variants and levels. */
export const ONLY_CELL_NAME = 'the plan';

const PLAIN_VARIANT: Variant = { name: '', factors: {}, before: [], after: [] };

/** Returns all cells of a series in the order of the table: variants, each with its levels. */
export function expandSeries(document: SeriesDocument): ExpandedSeries {
  const { plan, series } = document;
  const drafts = listVariants(series).flatMap((variant) => levelsOf(series).map((level) => applyVariant(document, variant, level)));
  const engine = chooseEngine(drafts);
  const cells = drafts.map(({ variant, level, name, plan: draft, misses }): SeriesCell => {
    const final: Plan = { ...draft, name: cellRunName(plan.name, name), engine: engine.name };
    return {
      name,
      variant: variant === PLAIN_VARIANT || series.duet ? null : variant.name,
      factors: variant.factors,
      level,
      plan: final,
      on: variant.on ?? series.on ?? null,
      problem: misses ? 'No counted stage of the load has such a number.' : findFirstError(final),
      before: [...series.before, ...variant.before],
      after: [...variant.after, ...series.after],
    };
  });
  return { cells, engine };
}

/** Returns the variants that have their own cells. Both variants of a duet share one. */
function listVariants(series: Series): readonly Variant[] {
  const variantPair = duetVariants(series);
  if (variantPair === null) return series.variants.length > 0 ? series.variants : [PLAIN_VARIANT];
  const [base, head] = variantPair;
  return [
    { ...PLAIN_VARIANT, name: duetName(variantPair), before: [...base.before, ...head.before], after: [...head.after, ...base.after] },
  ];
}

function applyVariant({ plan, series }: SeriesDocument, variant: Variant, level: LevelChange) {
  const changed = applyLevel(plan, level);
  const variantPair = duetVariants(series);
  const name = [variant.name, levelName(level)].filter((part) => part !== '').join(' · ') || ONLY_CELL_NAME;
  const atTargets = { ...(changed ?? plan), ...(variant.targets === undefined ? {} : { targets: variant.targets }) };
  return {
    variant,
    level,
    name,
    plan: variantPair === null ? atTargets : toDuetPlan(atTargets, variantPair, series.slotMs),
    misses: changed === null,
  };
}

/** Truncates the name of a run to its maximum length. */
function cellRunName(series: string, cell: string): string {
  return `${series} · ${cell}`.slice(0, 120);
}

function findFirstError(plan: Plan): string | null {
  const parsed = planSchema.safeParse(plan);
  if (!parsed.success) {
    const issue = schemaIssues(parsed.error, planSchema, plan)[0];
    return issue === undefined ? 'The plan of this cell is not valid.' : `${issue.message} ${issue.hint}`.trim();
  }
  const error = checkPlan(plan).find(({ level }) => level === 'error');
  return error === undefined ? null : `${error.message} ${error.hint}`.trim();
}

/** A planned run: the index of its cell, and the number of its repeat from 1. */
interface Turn {
  readonly cell: number;
  readonly repeat: number;
}

/**
 * Returns the order of the runs. If they are interleaved, all variants run level by level, and each repeat begins with another variant, so
 * that slow changes of the machines affect all variants alike. If not, each cell runs with all of its repeats before the next.
 */
export function listTurns(series: Series): Turn[] {
  const variants = listVariants(series).length;
  const levels = levelsOf(series).length;
  const repeats = count(series.repeats);
  const cell = (variant: number, level: number): number => variant * levels + level;
  if (!series.interleaved)
    return count(variants * levels).flatMap((index) => repeats.map((repeat) => ({ cell: index, repeat: repeat + 1 })));
  return repeats.flatMap((repeat) =>
    count(levels).flatMap((level) =>
      count(variants).map((place) => ({ cell: cell((place + repeat) % variants, level), repeat: repeat + 1 })),
    ),
  );
}

function count(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/**
 * Returns the runs that a series that ended early still has to make: those that never began, were cut off or could not be read. Runs that
 * were cut off stay in the history. Measured and refused runs are done.
 */
export function remainingRuns(runs: readonly CellRun[]): CellRun[] {
  return runs.filter(({ state }) => state !== 'value' && state !== 'refused').map(toPlannedRun);
}

/** Returns a run that has not begun. */
export function toPlannedRun({ position, cell, repeat }: Pick<CellRun, 'position' | 'cell' | 'repeat'>): CellRun {
  return { position, cell, repeat, state: 'waiting', phase: null, reason: null, runId: null, figures: null, commands: [], rest: null };
}
