import { z } from 'zod';
import type { Issue } from '../plan/issues.ts';
import { schemaIssues } from '../plan/schemaIssues.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { checkSeries } from '../series/check.ts';
import { seriesSchema, type Series } from '#core/plan/schema/series.ts';
import { levelsAtTimeScale } from './timeScale.ts';

const { levels, repeats, interleaved, coolDownSeconds, baselineSeconds, readySeconds } = seriesSchema.shape;
const { name, factors } = seriesSchema.shape.variants.unwrap().element.shape;

/**
 * The series of a preset: like the block `series:` of a plan, except that its variants say where they lie relative to the addresses that
 * the person named, and that it has no commands: a preset is data from anywhere.
 */
export const presetSeriesSchema = z.strictObject({
  variants: z
    .union([
      /** Every address is a variant, called by its own name. */
      z.literal('eachTarget'),
      z
        .array(
          z.strictObject({
            name,
            factors,
            /** Below each address that was named; left out, the address itself. */
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
  repeats,
  interleaved,
  coolDownSeconds,
  baselineSeconds,
  readySeconds,
});

interface PresetSeries {
  /** null where a single run is all there is. */
  readonly series: Series | null;
  /** Those of the plan itself: of the first variant. */
  readonly targets: readonly Target[];
  readonly issues: readonly Issue[];
  /** What is wrong with the series of this plan. */
  readonly check: (plan: Plan) => Issue[];
}

/** The series that a filled template makes; `written` is undefined where the preset, or its answers, want none. */
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
      ? eachTarget(targets)
      : places.map(({ path, ...place }) => ({ ...place, targets: below(targets, path), before: [], after: [] }));
  const series: Series = { ...rest, variants, levels: levelsAtTimeScale(rest.levels, scale), before: [], after: [] };
  const first = variants[0]?.targets ?? targets;
  if (variants.length < 2 && Object.keys(series.levels).length === 0 && series.repeats === 1) return { ...single, targets: first };
  return { series, targets: first, issues: [], check: (plan) => checkSeries({ plan, series }) };
}

function eachTarget(targets: readonly Target[]): Series['variants'] {
  const names = targets.map((target) => target.name ?? target.url.slice(0, 60));
  return targets.map((target, index) => {
    const own = names[index] ?? '';
    const isTaken = names.indexOf(own) < index;
    return { name: isTaken ? `${own.slice(0, 56)} ${index + 1}` : own, factors: {}, targets: [target], before: [], after: [] };
  });
}

/** As a step's path is put below a target, so is the variant's. */
function below(targets: readonly Target[], path: string): Target[] {
  return targets.map((target) => ({ ...target, url: path === '' ? target.url : new URL(path, asFolder(target.url)).href }));
}

function asFolder(url: string): string {
  const withoutQuery = url.replace(/[?#].*$/s, '');
  return withoutQuery.endsWith('/') ? withoutQuery : `${withoutQuery}/`;
}
