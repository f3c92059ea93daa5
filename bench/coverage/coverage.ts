import { randomFrom } from '#core/testing/queueRun.ts';
import { coversLimit, SEARCH_KINDS } from '#core/search/breakingPoint/testing/drawnSearches.ts';
import { CURVE_KINDS, correctCurveShares } from '#core/judgement/capacity/testing/drawnCurves.ts';
import { differentShare } from '#core/comparison/testing/samePairs.ts';
import { makeCoverage } from '#core/judgement/verdict/testing/coverage.ts';
import { groupedCoverage } from '#core/judgement/verdict/testing/groupedCoverage.ts';
import { PAUSING_SERVERS, judgeRarePauses } from '#core/judgement/verdict/testing/rarePauses.ts';
import { SERVER_KINDS } from '#core/judgement/verdict/testing/simulatedServers.ts';
import type { Measurement } from '../commands.ts';
import { markdownTable } from '../output/table.ts';
import { integer, names, type OptionValues, readOptions } from '../running/readOptions.ts';

const PARTS = ['shares', 'groups', 'pauses', 'searches', 'curves', 'comparisons'] as const;
type Part = (typeof PARTS)[number];

/** Minimum share of true statements among those with 95 % confidence. */
const MIN_TRUE_SHARE = 0.95;
/** Minimum share of true statements about pauses that are so rare that the app does not claim to have seen them. */
const MIN_TRUE_SHARE_OF_RARE = 0.9;
/** Maximum share of pairs of equal servers that may be called different. */
const MAX_DIFFERENT_SHARE = 0.05;
/** Minimum number of decisions, relative to those of a judge that knows how requests cluster. */
const MIN_EQUAL_SHARE = 0.8;
const MAX_OPTION = 100_000;
/** A run of 26,718 requests without a slow one. Such a run cannot have contained an event that happens once a minute. */
const SHORT_RUN = { seconds: 24, perSecond: 1_113 };

const OPTIONS = {
  only: names('parts', PARTS),
  runs: integer('simulated runs, searches, curves, comparisons of each kind', 1_000, MAX_OPTION),
  seed: integer('seed of random values', 1, MAX_OPTION),
  truth: integer('shares, groups: runs from which the true values are computed', 2_000, MAX_OPTION),
  seconds: integer('shares, groups: seconds of a run or stage', 60, MAX_OPTION),
  perSecond: integer('shares, groups: requests per second', 40, MAX_OPTION),
};
type Options = OptionValues<typeof OPTIONS>;

interface Row {
  readonly cells: readonly string[];
  readonly isMet: boolean;
}

/** A table whose rows are computed one at a time, so that progress is visible and the computation can be stopped. */
interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly kinds: readonly { readonly name: string; readonly row: (options: Options) => Row }[];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const TABLES: Readonly<Record<Part, Table>> = {
  shares: {
    title: 'Bounds of shares, and verdicts',
    head: ['Upper bounds true', 'Lower bounds true', 'Verdicts right', 'Decided of what the oracle decides'],
    kinds: SERVER_KINDS.map((kind) => ({
      name: kind.name,
      row({ runs, seed, truth, ...watching }) {
        const foundCoverage = makeCoverage(kind, watching, { runs, truthRuns: truth, seed });
        const trues = [
          foundCoverage.highTrue / foundCoverage.bounds,
          foundCoverage.lowTrue / foundCoverage.bounds,
          foundCoverage.right / foundCoverage.decided,
        ];
        const alike = foundCoverage.alike / foundCoverage.byOracle;
        return { cells: [...trues, alike].map(percent), isMet: Math.min(...trues) >= MIN_TRUE_SHARE && alike >= MIN_EQUAL_SHARE };
      },
    })),
  },
  groups: {
    title: 'Each step in each stage, and Apdex',
    head: ['Upper bounds true', 'Lower bounds true', 'Verdicts right', 'Apdex right', 'Apdex decided'],
    kinds: SERVER_KINDS.map((kind) => ({
      name: kind.name,
      row({ runs, seed, truth, ...watching }) {
        const found = groupedCoverage(kind, watching, { runs, truthRuns: truth, seed });
        const { bounds, decided, apdexDecided } = found;
        // If there is no decision, none is wrong.
        const trues = [found.highTrue / bounds, found.lowTrue / bounds, found.right / decided, found.apdexRight / apdexDecided];
        const cells = [...trues, apdexDecided / found.apdexJudged].map((share) => (Number.isNaN(share) ? 'none' : percent(share)));
        return { cells, isMet: !trues.some((share) => share < MIN_TRUE_SHARE) };
      },
    })),
  },
  pauses: {
    title: `Pauses of 2 s, in ${SHORT_RUN.seconds} s with ${SHORT_RUN.perSecond} requests a second`,
    head: ['Met none', 'Upper bounds told', 'of them true', 'Lower bounds true', 'Said to be seen'],
    kinds: PAUSING_SERVERS.map((server) => ({
      name: server.name,
      row({ runs, seed }) {
        const found = judgeRarePauses(server, SHORT_RUN, { runs, seed });
        const isClaimed = found.rarestSeen !== null && server.every <= found.rarestSeen;
        const trues = [found.highTrue / found.highClaimed, found.lowTrue / found.lowClaimed];
        const cells = [percent(found.clean / runs), String(found.highClaimed), ...trues.map(percent), isClaimed ? 'yes' : 'no'];
        return {
          cells,
          isMet: isClaimed
            ? Math.min(...trues) >= MIN_TRUE_SHARE && found.clean / runs <= 1 - MIN_TRUE_SHARE
            : Math.min(...trues) >= MIN_TRUE_SHARE_OF_RARE,
        };
      },
    })),
  },
  searches: {
    title: 'Where a server breaks',
    head: ['Intervals that hold it', 'Estimates within 5 %', 'Width of half of the intervals, at most'],
    kinds: SEARCH_KINDS.map(({ name, search }) => ({
      name,
      row({ runs, seed }) {
        const random = randomFrom(seed);
        const playedSearches = Array.from({ length: runs }, () => search(random));
        const sustained = playedSearches.filter(({ conclusion, limit }) => coversLimit(conclusion, limit)).length / runs;
        const near =
          playedSearches.filter(({ conclusion, limit }) => Math.abs((conclusion.estimate ?? 0) / limit - 1) <= 0.05).length / runs;
        const widths = playedSearches.map(({ conclusion: { range } }) => (range.high ?? Infinity) / (range.low ?? 0) - 1);
        const width = widths.toSorted((one, other) => one - other)[Math.floor(runs / 2)] ?? Infinity;
        return { cells: [percent(sustained), percent(near), percent(width)], isMet: sustained >= MIN_TRUE_SHARE };
      },
    })),
  },
  curves: {
    title: 'What it can do',
    head: ['Intervals that hold it'],
    kinds: CURVE_KINDS.map((kind) => ({
      name: kind.name,
      row({ runs, seed }) {
        const found = [...correctCurveShares(kind, runs, seed)];
        const cells = [found.map(([name, share]) => `${name} ${percent(share)}`).join(', ')];
        return { cells, isMet: found.length > 0 && found.every(([, share]) => share >= MIN_TRUE_SHARE) };
      },
    })),
  },
  comparisons: {
    title: 'Runs of the same server',
    head: ['Called different'],
    kinds: SERVER_KINDS.map((kind) => ({
      name: kind.name,
      row({ runs, seed }) {
        const share = differentShare(kind, runs, seed);
        return { cells: [percent(share)], isMet: share <= MAX_DIFFERENT_SHARE };
      },
    })),
  },
};

/**
 * Returns the measurement that checks whether statements with 95 % confidence are true in simulated runs. Exit code 1 means that they are
 * not.
 */
export function readCoverage(parameters: readonly string[]): Measurement {
  const options = readOptions('coverage', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  return (signal, print) => measureCoverage(options, signal, print);
}

function measureCoverage(options: Options, signal: AbortSignal, print: (line: string) => void): void {
  for (const part of options.only) {
    const { title, head, kinds } = TABLES[part];
    const rows: string[][] = [];
    for (const { name, row } of kinds) {
      if (signal.aborted) break;
      const { cells, isMet } = row(options);
      if (!isMet) process.exitCode = 1;
      rows.push([name, ...cells, isMet ? '' : 'missed']);
      print(`coverage: ${name}: ${cells.join(', ')}${isMet ? '' : ' missed'}`);
    }
    console.log(`\n${title}, ${options.runs} of each, seed ${options.seed}\n\n${markdownTable(['', ...head, ''], rows)}`);
  }
}
