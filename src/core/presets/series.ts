import { z } from 'zod';
import type { Issue } from '../plan/issues.ts';
import { schemaIssues } from '../plan/schemaIssues.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { checkSeries } from '#core/series/check.ts';
import { seriesSchema, type Series } from '#core/plan/schema/series.ts';
import { levelsAtTimeScale } from './timeScale.ts';

const { levels, duet, slotMs, repeats, interleaved, coolDownSeconds, baselineSeconds, readySeconds } = seriesSchema.shape;
const { name, factors } = seriesSchema.shape.variants.unwrap().element.shape;

/**
 * Series of a preset. It is like `series:` of a plan, but its variants are relative to the user's addresses. It has no commands, because
 * presets are untrusted.
 */
export const presetSeriesSchema = z.strictObject({
  variants: z
    .union([
      /** Every address is a variant with a name of its own. */
      z.literal('eachTarget'),
      z
        .array(
          z.strictObject({
            name,
            factors,
            /** Path below each address. Default: the address itself. */
            path: z
              .string()
              .max(2_048)
              .regex(/^(?![a-z][a-z0-9+.-]*:|[/\\]{2})/i, 'Enter a path below the address, for example node/.')
              .default(''),
          }),
        )
        .max(50),
    ])
    .default([]),
  levels,
  duet,
  slotMs,
  repeats,
  interleaved,
  coolDownSeconds,
  baselineSeconds,
  readySeconds,
});

interface PresetSeries {
  /** The series; null for a single run. */
  readonly series: Series | null;
  /** Targets of the plan. The plan is the first variant of the series. */
  readonly targets: readonly Target[];
  readonly issues: readonly Issue[];
  /** Returns the problems of the series for a plan. */
  readonly check: (plan: Plan) => Issue[];
}

/** Returns the series of a filled-in template. If the preset has no series, `written` is undefined. */
export function presetSeries(written: unknown, targets: readonly Target[], scale: number): PresetSeries {
  const single = { series: null, targets, issues: [], check: () => [] };
  if (written === undefined) return single;
  const parsed = presetSeriesSchema.safeParse(written);
  if (!parsed.success) {
    const issues = schemaIssues(parsed.error, presetSeriesSchema, written);
    return { ...single, issues: issues.map((issue) => ({ ...issue, path: issue.path === '' ? 'series' : `series.${issue.path}` })) };
  }
  const { variants: places, ...rest } = parsed.data;
  const variants =
    places === 'eachTarget'
      ? variantForEachTarget(targets)
      : places.map(({ path, ...place }) => ({ ...place, targets: targetsBelow(targets, path), before: [], after: [] }));
  const series: Series = { ...rest, variants, levels: levelsAtTimeScale(rest.levels, scale), before: [], after: [] };
  const first = variants[0]?.targets ?? targets;
  if (variants.length < 2 && Object.keys(series.levels).length === 0 && series.repeats === 1) return { ...single, targets: first };
  return { series, targets: first, issues: [], check: (plan) => checkSeries({ plan, series }) };
}

function variantForEachTarget(targets: readonly Target[]): Series['variants'] {
  const names = targets.map((target) => target.name ?? target.url.slice(0, 60));
  return targets.map((target, index) => {
    const own = names[index] ?? '';
    const isTaken = names.indexOf(own) < index;
    return { name: isTaken ? `${own.slice(0, 56)} ${index + 1}` : own, factors: {}, targets: [target], before: [], after: [] };
  });
}

/** Puts the path of a variant below the targets, as the path of a step is put below its target. */
function targetsBelow(targets: readonly Target[], path: string): Target[] {
  return targets.map((target) => ({ ...target, url: path === '' ? target.url : new URL(path, toFolder(target.url)).href }));
}

function toFolder(url: string): string {
  const withoutQuery = url.replace(/[?#].*$/s, '');
  return withoutQuery.endsWith('/') ? withoutQuery : `${withoutQuery}/`;
}
