import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatBytes } from '#core/base/units.ts';
import { showReferences } from '../plan/hiddenText.ts';
import { ONLY_CELL_NAME } from '#core/series/cells.ts';
import { type Aspect, ASPECTS, type Dissimilarity } from './schema.ts';
import { ASPECT_WORDS } from './figureTexts.ts';
import { readReference } from '#core/plan/secretReference.ts';

/** Returns the differences between two of the sides. */
export function selectBetween(dissimilar: readonly Dissimilarity[], reference: number, side: number): Dissimilarity[] {
  return dissimilar.filter(({ values }) => new Set([...(values[reference] ?? []), ...(values[side] ?? [])]).size > 1);
}

interface Question {
  /** What differs between the two sides, or within one of them. */
  readonly dissimilar: readonly Dissimilarity[];
  readonly asked: Aspect | null;
  readonly names: readonly [reference: string, side: string];
  readonly places: readonly [reference: number, side: number];
}

/**
 * Returns why a difference cannot be attributed to what was asked about; empty if it can. Runs of one side must be alike. Between the
 * sides, only what was asked about may differ. If nothing was asked about, one thing may differ.
 */
export function listRefusals({ dissimilar, asked, names, places }: Question): string[] {
  const mixed = places.flatMap((place, index) => {
    const unlike = dissimilar.filter(({ values }) => (values[place]?.length ?? 0) > 1);
    return unlike.length === 0
      ? []
      : [
          `The runs of “${names[index]}” are not repeats of each other: ${joinAspects(listAspects(unlike))} ${unlike.length === 1 ? 'differs' : 'differ'} among them (${unlike[0]?.what}).`,
        ];
  });
  if (mixed.length > 0) return mixed;
  const differing = listAspects(dissimilar);
  const others = differing.filter((aspect) => aspect !== asked);
  if (asked !== null)
    return others.length === 0
      ? []
      : [
          `You asked what ${ASPECT_WORDS[asked]} changes, and ${joinAspects(others)} ${isOne(others) ? 'differs' : 'differ'} as well: either may have done it.`,
        ];
  return differing.length < 2 ? [] : [`They differ in more than one thing: ${joinAspects(differing)}. Each of them may have done it.`];
}

/** Aspects that must equal those of the baseline. */
const PLAN_ASPECTS: ReadonlySet<Aspect> = new Set(['load', 'plan', 'variant']);
/** Maximum number of plan differences named in a sentence. */
const MAX_NAMED = 3;

/** Returns why runs of another plan are not compared with a baseline; empty for the same plan. */
export function planRefusals(dissimilar: readonly Dissimilarity[]): string[] {
  const differing = dissimilar.filter(({ aspect }) => PLAN_ASPECTS.has(aspect));
  if (differing.length === 0) return [];
  const named = differing.slice(0, MAX_NAMED).map(({ what, values }) => `${what} (${values.map((side) => side.join(', ')).join(' / ')})`);
  const more = differing.length > MAX_NAMED ? `, and ${differing.length - MAX_NAMED} more` : '';
  return [`The plans differ: ${named.join(', ')}${more}. A baseline speaks of runs of its own plan only: name one of this plan.`];
}

export function listAspects(dissimilar: readonly Dissimilarity[]): Aspect[] {
  return [...new Set(dissimilar.map(({ aspect }) => aspect))];
}

export function joinAspects(aspects: readonly Aspect[]): string {
  return joinNames(aspects.map((aspect) => ASPECT_WORDS[aspect]));
}

function isOne(aspects: readonly Aspect[]): boolean {
  return aspects.length === 1 && aspects[0] !== 'tuning';
}

/** One circumstance of a run that may affect its figures. */
export interface Condition {
  readonly aspect: Aspect;
  readonly what: string;
  readonly value: string;
}

/** Aspect of each part of a plan. Parts without an aspect do not affect the measurement: names, criteria, texts. */
const ASPECT_OF_PART: Readonly<Partial<Record<keyof Plan, Aspect>>> = {
  targets: 'target',
  namedTargets: 'target',
  tls: 'target',
  servers: 'target',
  sideHosts: 'target',
  load: 'load',
  connections: 'load',
  threads: 'load',
  timeoutSeconds: 'load',
  drainSeconds: 'load',
  journey: 'plan',
  flow: 'plan',
  variables: 'plan',
  feeds: 'plan',
  cookies: 'plan',
  identify: 'plan',
  watch: 'plan',
  monitors: 'plan',
};

/** Returns all stored circumstances of a run that may affect its figures. */
export function listConditions(result: RunResult): Condition[] {
  return [
    ...Object.entries(ASPECT_OF_PART).flatMap(([part, aspect]) => listLeaves(aspect, part, Reflect.get(result.plan, part))),
    { aspect: 'target', what: 'server software', value: result.server.software ?? 'not told' },
    ...result.generators.flatMap((generator) => hostConditions(generator, result.generators.length)),
    ...result.events
      .filter(({ kind }) => kind === 'hostChanged')
      .map(({ text }): Condition => ({ aspect: 'tuning', what: text, value: 'yes' })),
    { aspect: 'version', what: 'Holdfast', value: result.run.holdfastVersion },
    ...variantConditions(result.run.series?.cell ?? ONLY_CELL_NAME),
  ];
}

/** Returns the cell as a condition. A series that only repeats its plan is treated like single runs of the plan. */
function variantConditions(cell: string): Condition[] {
  return cell === ONLY_CELL_NAME ? [] : [{ aspect: 'variant', what: 'cell of the series', value: cell }];
}

function hostConditions(generator: RunResult['generators'][number], count: number): Condition[] {
  const of = count === 1 ? '' : ` of “${generator.name}”`;
  const host = (what: string, value: string): Condition => ({ aspect: 'host', what: `${what}${of}`, value });
  return [
    host('computer that makes the load', generator.hostname),
    host('system', generator.platform),
    host('cores', String(generator.cores)),
    host('memory', formatBytes(generator.memoryBytes)),
    host('Node', generator.nodeVersion),
    host('shares the machine with the target', generator.sharesMachineWithTarget ? 'yes' : 'no'),
    { aspect: 'engine', what: `engine${of}`, value: `${generator.engine} ${generator.engineVersion}` },
    { aspect: 'load', what: `threads used${of}`, value: String(generator.threads) },
  ];
}

/** Names of the members of some lists of a plan; other members are named by position. */
const MEMBER_NOUNS: Readonly<Record<string, string>> = { targets: 'target', 'load.stages': 'stage', journey: 'step' };

/** Returns the single values of a part of a plan with their paths. `owner`: the list member to which they belong. */
function listLeaves(aspect: Aspect, path: string, value: unknown, owner = ''): Condition[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const member = getOwn(MEMBER_NOUNS, path);
    return value.flatMap((item, index) =>
      member === undefined
        ? listLeaves(aspect, `${path}[${nameOf(item) ?? index + 1}]`, item, owner)
        : // Independent of the list's length: a single target equals the first of two.
          listLeaves(aspect, '', item, ` of ${member} ${quoteName(nameOf(item)) ?? index + 1}`),
    );
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, item]) => listLeaves(aspect, path === '' ? key : `${path}.${key}`, item, owner));
  }
  const text = String(value);
  const what = path === 'url' ? 'address' : path;
  // References to typed secrets differ in each session.
  const isTyped = readReference(text)?.kind === 'session';
  return [{ aspect, what: `${what}${owner}`, value: isTyped ? 'a secret that was typed in' : showReferences(text) }];
}

function quoteName(name: string | null): string | null {
  return name === null ? null : `“${name}”`;
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null;
  const name: unknown = Reflect.get(item, 'name');
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Value of a run without this condition. */
const ABSENT_VALUE = '–';
const MAX_VALUE_LENGTH = 120;

/** Returns the conditions that differ between runs. `sides` contains the conditions of each run of each side. */
export function findDissimilarities(sides: readonly (readonly (readonly Condition[])[])[]): Dissimilarity[] {
  const keys = new Map<string, Condition>();
  for (const condition of sides.flat(2)) keys.set(`${condition.aspect} ${condition.what}`, condition);
  const found = [...keys.values()].flatMap(({ aspect, what }): Dissimilarity[] => {
    const values = sides.map((runs) => [...new Set(runs.map((conditions) => valueOf(conditions, aspect, what)))]);
    if (new Set(values.flat()).size < 2) return [];
    return [{ aspect, what, values: values.map((side) => side.map(clipText)), isWithinSide: values.some((side) => side.length > 1) }];
  });
  return excludeLabels(found).toSorted((one, other) => ASPECTS.indexOf(one.aspect) - ASPECTS.indexOf(other.aspect));
}

/** Removes names of cells that repeat a difference of the plan. The name counts only if nothing else distinguishes the cells. */
function excludeLabels(found: readonly Dissimilarity[]): Dissimilarity[] {
  const explains = found.some(({ aspect }) => aspect === 'target' || aspect === 'load' || aspect === 'host');
  return explains ? found.filter(({ aspect }) => aspect !== 'variant') : [...found];
}

/** Joins several values of one name. */
function valueOf(conditions: readonly Condition[], aspect: Aspect, what: string): string {
  const values = conditions.filter((condition) => condition.aspect === aspect && condition.what === what).map(({ value }) => value);
  return values.length === 0 ? ABSENT_VALUE : values.join(', ');
}

function clipText(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}
