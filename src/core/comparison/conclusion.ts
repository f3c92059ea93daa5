import { capitalize } from '#core/base/text.ts';
import { formatPart, formatCount } from '#core/base/units.ts';
import type { ComparedSide } from './comparedRun.ts';
import { MIN_RUNS_PER_SIDE } from './differences.ts';
import { listAspects, joinAspects } from './refusal.ts';
import type { Aspect, Dissimilarity, FigureDifference, Pair } from './schema.ts';
import { changeWords, formatFigure, formatInterval, MEASURE_WORDS, formatScope } from './figureTexts.ts';
import { withoutAbsent } from '#core/base/lists.ts';

export interface MeasuredSide extends ComparedSide {
  /** Runs whose figures count. */
  readonly whole: ComparedSide['runs'];
}

export function requireCompleteSide(side: ComparedSide | undefined): MeasuredSide {
  const { name, runs } = side ?? { name: '', runs: [] };
  return { name, runs, whole: runs.filter(({ leftOut }) => leftOut === null) };
}

/** Order of the figures of whole runs in the headline if several changed about equally. */
const HEADLINE_MEASURES = ['failedShare', 'p95', 'goodPerSecond', 'p50', 'p99'] as const;

/** Minimum change of the failed share that is named before everything else. */
const MIN_FAILURE_CHANGE = 0.01;
/** Minimum relative change that is not slight. */
const MIN_RELATIVE_CHANGE = 0.02;
/** Minimum change that is large. While such a change is possible, “no difference” would be wrong. */
const MIN_WIDE_CHANGE = 0.25;

interface ReportedSides {
  readonly first: MeasuredSide;
  readonly second: MeasuredSide;
  readonly claimed: readonly FigureDifference[];
  readonly differences: readonly FigureDifference[];
  /** Whether the first side is a baseline, which a single run can be compared with. */
  readonly isBaseline: boolean;
}

export function writeSentence(conclusion: Pair['conclusion'], { first, second, claimed, differences, isBaseline }: ReportedSides): string {
  switch (conclusion) {
    case 'refused':
      return `No conclusion whether “${second.name}” is better or worse than “${first.name}”: these runs differ in something else too.`;
    case 'tooFew':
      return `Too few runs: ${formatRunCount(first)} and ${formatRunCount(second)}. From ${MIN_RUNS_PER_SIDE} ${isBaseline ? 'runs of the baseline on, one whole run' : 'of each on, a difference'} can be distinguished from chance.`;
    case 'withinNoise':
      return withinNoiseSentence(differences, first.name, second.name);
    case 'differs':
      return differsSentence(claimed, first.name, second.name);
    default:
      return conclusion satisfies never;
  }
}

function differsSentence(claimed: readonly FigureDifference[], first: string, second: string): string {
  const headline = pickHeadline(claimed);
  if (headline === undefined) return '';
  const where = describePlace(headline);
  if (headline.direction === null) return `“${second}” differs from “${first}”${where}: ${formatFigures(headline)}.`;
  const contrary = pickHeadline(claimed.filter(({ direction }) => direction !== null && direction !== headline.direction));
  if (contrary !== undefined && isTrade(headline, contrary))
    return `“${second}” is ${headline.direction} than “${first}” in one way and ${contrary.direction} in another: ${figuresWithPlace(headline)}; but ${figuresWithPlace(contrary)}.`;
  const but = contrary === undefined ? '' : ` But it is ${describeDirection(contrary)} in another way: ${figuresWithPlace(contrary)}.`;
  return `“${second}” is ${describeDirection(headline)} than “${first}”${where}: ${formatFigures(headline)}.${but}`;
}

/**
 * Returns the figure for the headline: noticeable failures, else the first one that changed at least half as much as the largest change.
 * Figures of whole runs come first.
 */
function pickHeadline(claimed: readonly FigureDifference[]): FigureDifference | undefined {
  const ordered = HEADLINE_MEASURES.flatMap((measure) => claimed.filter((one) => one.measure === measure));
  const ofRun = ordered.filter(({ scope }) => scope.kind === 'run');
  const reported = ofRun.length > 0 ? ofRun : ordered;
  const failures = reported.find((one) => one.measure === 'failedShare' && !isSlight(one));
  const most = Math.max(...reported.map(changeFactor));
  return failures ?? reported.find((one) => changeFactor(one) >= most / 2) ?? claimed[0];
}

/** Size of a change as a logarithm: halving is as large as doubling. */
function changeFactor({ change, scale }: FigureDifference): number {
  return change === null || scale === 'difference' ? 0 : Math.abs(Math.log(Math.max(Number.EPSILON, 1 + change)));
}

/** Returns whether the two changes balance, so that neither side is better overall. Failures outweigh times and rates. */
function isTrade(headline: FigureDifference, contrary: FigureDifference): boolean {
  return headline.measure !== 'failedShare' && changeFactor(contrary) >= changeFactor(headline) / 2;
}

function isSlight({ change, scale, measure }: FigureDifference): boolean {
  if (change === null) return false;
  if (measure === 'failedShare') return Math.abs(change) < MIN_FAILURE_CHANGE;
  return scale === 'ratio' && Math.abs(change) < MIN_RELATIVE_CHANGE;
}

function describeDirection(one: FigureDifference): string {
  return isSlight(one) ? `slightly ${one.direction}` : String(one.direction);
}

/** Names the step or stage: ` in “checkout”`. */
function describePlace({ scope }: FigureDifference): string {
  return scope.kind === 'step' || scope.kind === 'stage' ? ` in ${formatScope(scope)}` : '';
}

function figuresWithPlace(one: FigureDifference): string {
  const where = describePlace(one).trim();
  return where === '' ? formatFigures(one) : `${where} ${formatFigures(one)}`;
}

function formatFigures(one: FigureDifference): string {
  const of = one.scope.kind === 'watched' ? ` (${formatScope(one.scope)})` : '';
  const figures =
    one.from && one.to ? `${formatFigure(one.to.median, one.measure)} instead of ${formatFigure(one.from.median, one.measure)}` : '';
  const change = one.change === null ? '' : `, ${changeWords(one.change, one)}`;
  const interval = formatInterval(one);
  return `${MEASURE_WORDS[one.measure]}${of} ${figures}${change}${interval === null ? '' : ` (99 % interval: ${interval})`}`;
}

/** States which differences the noise may hide. */
function withinNoiseSentence(differences: readonly FigureDifference[], first: string, second: string): string {
  const one = pickRemainder(differences);
  const interval = one && formatInterval(one);
  const possible = one && interval ? ` Still possible for “${MEASURE_WORDS[one.measure]}”: ${interval}.` : '';
  return isTooVariable(differences)
    ? `Inconclusive: “${second}” may be like “${first}” or quite different, because repeated runs vary that much.${possible} More or longer runs would help.`
    : `No difference between “${second}” and “${first}” beyond normal run-to-run variation.${possible}`;
}

/** Returns the figure of whole runs whose interval shows what remains possible without a significant difference. */
function pickRemainder(differences: readonly FigureDifference[]): FigureDifference | undefined {
  return HEADLINE_MEASURES.slice(1)
    .map((measure) => differences.find((each) => each.measure === measure && each.scope.kind === 'run' && each.interval !== null))
    .find(Boolean);
}

/** Returns whether runs vary so much that the sides may differ widely, although no difference was found. */
export function isTooVariable(differences: readonly FigureDifference[]): boolean {
  const one = pickRemainder(differences);
  return (
    one?.interval != null && one.scale === 'ratio' && Math.max(Math.abs(one.interval.from), Math.abs(one.interval.to)) > MIN_WIDE_CHANGE
  );
}

function formatRunCount({ whole, runs }: MeasuredSide): string {
  return whole.length === runs.length ? formatCount(runs.length) : `${formatCount(whole.length)} whole ones of ${formatCount(runs.length)}`;
}

interface Circumstances {
  readonly first: MeasuredSide;
  readonly second: MeasuredSide;
  readonly differing: readonly Dissimilarity[];
  readonly asked: Aspect | null;
  readonly isInterleaved: boolean | null;
  readonly differences: readonly FigureDifference[];
  readonly isRefused: boolean;
}

/** Returns the evidence for and against the conclusion. */
export function listReasons({ first, second, differing, asked, isInterleaved, differences, isRefused }: Circumstances): string[] {
  const allRuns = [...first.runs, ...second.runs];
  const cut = allRuns.filter(({ leftOut }) => leftOut !== null).length;
  const overloaded = allRuns.filter(({ leftOut, overloadedSeconds }) => leftOut === null && overloadedSeconds > 0).length;
  const alone = differences.filter(
    ({ judgement, interval }) => judgement === 'withinNoise' && interval !== null && (interval.from > 0 || interval.to < 0),
  ).length;
  return withoutAbsent([
    !isRefused && (differing.length > 0 ? `They differ in ${joinAspects(listAspects(differing))}.` : nothingDiffers(asked)),
    isInterleaved === false &&
      `Most runs of one side came before those of the other, so changes in between are part of the difference. Runs in turn, as in a series, avoid that.`,
    alone !== 0 &&
      `${capitalize(formatPart(alone, differences.length))} figures would count as different on ${alone === 1 ? 'its' : 'their'} own; among so many, chance produces one.`,
    cut !== 0 && `${capitalize(formatPart(cut, allRuns.length))} runs did not finish and ${cut === 1 ? 'is' : 'are'} left out.`,
    overloaded !== 0 &&
      `In ${formatPart(overloaded, allRuns.length)} runs the load generator was overloaded for a while: latency may be inflated.`,
  ]);
}

function nothingDiffers(asked: Aspect | null): string {
  return asked === null || asked === 'target'
    ? 'Nothing that Holdfast records differs between them; changes in the target itself are not visible to it.'
    : 'Nothing that Holdfast records differs between them, not even what you asked about.';
}
