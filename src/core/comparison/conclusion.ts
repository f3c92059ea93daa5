import { formatCount } from '../units.ts';
import type { ComparedSide } from './comparedRun.ts';
import { ENOUGH_RUNS } from './differences.ts';
import { aspectsOf, listed } from './refusal.ts';
import type { Aspect, Dissimilarity, FigureDifference, Pair } from './schema.ts';
import { changeWords, formatFigure, intervalWords, MEASURE_WORDS, scopeWords } from './words.ts';

export interface WholeSide extends ComparedSide {
  /** Those whose figures count. */
  readonly whole: ComparedSide['runs'];
}

export function wholeSide(side: ComparedSide | undefined): WholeSide {
  const { name, runs } = side ?? { name: '', runs: [] };
  return { name, runs, whole: runs.filter(({ leftOut }) => leftOut === null) };
}

/** What a sentence tells of whole runs first, where several figures differ about as much. */
const HEADLINES = ['failedShare', 'p95', 'goodPerSecond', 'p50', 'p99'] as const;

interface Told {
  readonly first: WholeSide;
  readonly second: WholeSide;
  readonly claimed: readonly FigureDifference[];
  readonly differences: readonly FigureDifference[];
  /** Whether the first side is a baseline, against which one run can be held. */
  readonly isBaseline: boolean;
}

/** The answer of a pair. */
export function sentenceOf(conclusion: Pair['conclusion'], { first, second, claimed, differences, isBaseline }: Told): string {
  switch (conclusion) {
    case 'refused':
      return `Whether “${second.name}” is better or worse than “${first.name}” is not said: these runs differ in something else too.`;
    case 'tooFew':
      return `Too few runs to tell: ${countOf(first)} and ${countOf(second)}. From ${ENOUGH_RUNS} ${isBaseline ? 'runs of the baseline on, one whole run' : 'of each on, a difference'} can be told from chance.`;
    case 'withinNoise':
      return `No difference: “${second.name}” is as “${first.name}” was, as far as runs of one of them differ among themselves.${ruledOut(differences)}`;
    case 'differs':
      return differsSentence(claimed, first.name, second.name);
    default:
      return conclusion satisfies never;
  }
}

function differsSentence(claimed: readonly FigureDifference[], first: string, second: string): string {
  const headline = headlineOf(claimed);
  if (headline === undefined) return '';
  const relation = headline.direction === null ? 'differs from' : `is ${headline.direction} than`;
  const contrary = headlineOf(claimed.filter(({ direction }) => direction !== null && direction !== (headline.direction ?? direction)));
  const but = contrary === undefined ? '' : ` But it is ${contrary.direction} in another way: ${figuresOf(contrary)}.`;
  return `“${second}” ${relation} “${first}”: ${figuresOf(headline)}.${but}`;
}

/** Failures before all else; else the first that changed at least half as much as what changed most. */
function headlineOf(claimed: readonly FigureDifference[]): FigureDifference | undefined {
  const ofRun = HEADLINES.flatMap((measure) => claimed.find((one) => one.measure === measure && one.scope.kind === 'run') ?? []);
  const failures = ofRun.find(({ measure }) => measure === 'failedShare');
  const most = Math.max(...ofRun.map(factorOf));
  return failures ?? ofRun.find((one) => factorOf(one) >= most / 2) ?? claimed[0];
}

/** By what factor it changed, as a logarithm: half as much is as large a change as twice as much. */
function factorOf({ change, scale }: FigureDifference): number {
  return change === null || scale === 'difference' ? 0 : Math.abs(Math.log(Math.max(Number.EPSILON, 1 + change)));
}

function figuresOf(one: FigureDifference): string {
  const of = one.scope.kind === 'run' ? '' : ` (${scopeWords(one.scope)})`;
  const figures =
    one.from && one.to ? `${formatFigure(one.to.median, one.measure)} instead of ${formatFigure(one.from.median, one.measure)}` : '';
  const change = one.change === null ? '' : `, ${changeWords(one.change, one)}`;
  const interval = intervalWords(one);
  return `${MEASURE_WORDS[one.measure]}${of} ${figures}${change}${interval === null ? '' : ` (99 % interval: ${interval})`}`;
}

/** How large a difference could be and still be hidden in the noise: nothing found is not nothing there. */
function ruledOut(differences: readonly FigureDifference[]): string {
  const one = HEADLINES.slice(1)
    .map((measure) => differences.find((each) => each.measure === measure && each.scope.kind === 'run' && each.interval !== null))
    .find(Boolean);
  const interval = one && intervalWords(one);
  return one && interval ? ` What remains possible of “${MEASURE_WORDS[one.measure]}”: ${interval}.` : '';
}

function countOf({ whole, runs }: WholeSide): string {
  return whole.length === runs.length ? formatCount(runs.length) : `${formatCount(whole.length)} whole ones of ${formatCount(runs.length)}`;
}

interface Circumstances {
  readonly first: WholeSide;
  readonly second: WholeSide;
  readonly differing: readonly Dissimilarity[];
  readonly asked: Aspect | null;
  readonly isInterleaved: boolean | null;
  readonly differences: readonly FigureDifference[];
  readonly isRefused: boolean;
}

/** What stands behind the answer, and what speaks against it. */
export function reasonsOf({ first, second, differing, asked, isInterleaved, differences, isRefused }: Circumstances): string[] {
  const both = [...first.runs, ...second.runs];
  const cut = both.filter(({ leftOut }) => leftOut !== null).length;
  const sick = both.filter(({ leftOut, sickSeconds }) => leftOut === null && sickSeconds > 0).length;
  const alone = differences.filter(
    ({ judgement, interval }) => judgement === 'withinNoise' && interval !== null && (interval.from > 0 || interval.to < 0),
  ).length;
  return [
    ...(isRefused ? [] : [differing.length > 0 ? `They differ in ${listed(aspectsOf(differing))}.` : nothingDiffers(asked)]),
    ...(isInterleaved === false
      ? [
          `Most runs of one of them were made before those of the other, so whatever changed in between is part of the difference. Runs made in turn, as a series makes them, would tell it apart.`,
        ]
      : []),
    ...(alone === 0
      ? []
      : [
          `${formatCount(alone)} of the ${formatCount(differences.length)} figures would count as different if it stood alone; among so many, chance makes one such.`,
        ]),
    ...(cut === 0
      ? []
      : [`${formatCount(cut)} of the ${formatCount(both.length)} runs did not go to the end and ${cut === 1 ? 'is' : 'are'} left out.`]),
    ...(sick === 0
      ? []
      : [
          `In ${formatCount(sick)} of the ${formatCount(both.length)} runs the load could not be made as it should for a while: their times may not be those of the server.`,
        ]),
  ];
}

function nothingDiffers(asked: Aspect | null): string {
  return asked === null || asked === 'target'
    ? 'Nothing that Holdfast records differs between them; what was changed in the target itself, it does not see.'
    : 'Nothing that Holdfast records differs between them, not even what you asked about.';
}
