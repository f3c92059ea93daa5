import type { Comparison, FigureDifference } from '#core/comparison/schema.ts';
import type { Requirement } from '../figures/requirement.ts';
import { formatFigure, formatSigned } from '../output/table.ts';
import type { Section } from '../parts/part.ts';
import type { Dice } from './dice.ts';
import type { Hidden } from '../targets/mystery.ts';

/** Two servers to compare. They are equal, or the second one is 10 % slower. */
export interface DrawnPair {
  readonly isSlower: boolean;
  readonly servers: readonly [Hidden, Hidden];
  /** Number of connections. It keeps every worker of both servers busy. */
  readonly connections: number;
}

/** Step of service times in ms, chosen so that 10 % of each is a whole number of ms, which is the resolution of timers. */
const STEP_MS = 10;

/** Draws a pair. In every other pair, the second server is slower. */
export function drawPair(index: number, dice: Dice): DrawnPair {
  const workers = dice.integer(1, 6);
  const serviceMs = STEP_MS * dice.integer(4, 15);
  const isSlower = index % 2 === 1;
  const other = isSlower ? (serviceMs / 10) * 11 : serviceMs;
  return {
    isSlower,
    servers: [
      { workers, serviceMs },
      { workers, serviceMs: other },
    ],
    connections: 2 * workers,
  };
}

/** What the app states about a pair of servers. */
export interface ComparedPair {
  readonly pair: DrawnPair;
  readonly conclusion: Comparison['pairs'][number]['conclusion'];
  readonly sentence: string;
  readonly reasons: readonly string[];
  /** The differences that the app claims. */
  readonly claimed: readonly FigureDifference[];
  /** Change of the median response time, whether the app claims it or not; null if unknown. */
  readonly p50Change: number | null;
  readonly stolenShare: number | null;
}

export function makeComparedPair(pair: DrawnPair, comparison: Comparison, stolenShare: number | null): ComparedPair {
  const [found] = comparison.pairs;
  if (found === undefined) throw new TypeError('Two sides are one pair.');
  const { conclusion, sentence, reasons, differences } = found;
  return {
    pair,
    conclusion,
    sentence,
    reasons,
    claimed: differences.filter(({ judgement }) => judgement === 'differs'),
    p50Change: differences.find(({ scope, measure }) => scope.kind === 'run' && measure === 'p50')?.change ?? null,
    stolenShare,
  };
}

/** Returns whether the app is right. A slower server counts as found if the app reports that any of the server's figures is worse. */
export function isRight({ pair, conclusion, claimed }: ComparedPair): boolean {
  return pair.isSlower ? claimed.some(({ direction }) => direction === 'worse') : conclusion === 'withinNoise' && claimed.length === 0;
}

export function differencesSections(pairs: readonly ComparedPair[]): Section[] {
  return [
    {
      title: 'Differences',
      caption:
        'Two servers side by side, 5 runs of 2 s of each in turn, compared by the app, which was asked what the target changes. Half of the pairs are alike, in the others the second takes a tenth longer. The change is that of the middle response time.',
      head: ['servers', 'second one', 'claimed', 'right', 'change %', 'says', 'stolen %'],
      rows: pairs.map((comparedPair) => {
        const { pair, claimed, p50Change, sentence, stolenShare } = comparedPair;
        return [
          `${pair.servers[0].workers} × ${pair.servers[0].serviceMs} ms, ${pair.connections} connections`,
          pair.isSlower ? `a tenth slower (${pair.servers[1].serviceMs} ms)` : 'alike',
          claimed.length === 0 ? 'nothing' : claimed.map(({ measure, direction }) => `${measure} ${direction ?? 'differs'}`).join(', '),
          isRight(comparedPair) ? 'yes' : 'NO',
          formatSigned(p50Change === null ? null : 100 * p50Change, 1),
          sentence,
          formatFigure(stolenShare === null ? null : 100 * stolenShare, 1),
        ];
      }),
    },
  ];
}

export function differencesRequirements(pairs: readonly ComparedPair[]): Requirement[] {
  const slower = pairs.filter(({ pair }) => pair.isSlower);
  const alikePairs = pairs.filter(({ pair }) => !pair.isSlower);
  return [
    {
      what: `differences claimed between servers that are alike, of ${alikePairs.length}`,
      value: alikePairs.length === 0 ? null : alikePairs.filter(({ claimed }) => claimed.length > 0).length,
      unit: '',
      limit: { kind: 'atMost', value: 0 },
      aim: null,
    },
    {
      what: `servers that are a tenth slower found, of ${slower.length}`,
      value: slower.length === 0 ? null : slower.filter(isRight).length,
      unit: '',
      limit: { kind: 'atLeast', value: slower.length },
      aim: null,
    },
  ];
}
