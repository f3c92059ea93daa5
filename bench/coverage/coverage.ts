import { parseArgs } from 'node:util';
import { randomFrom } from '#core/testing/queueRun.ts';
import { isHeldBy, SEARCH_KINDS } from '#core/search/breakingPoint/testing/drawnSearches.ts';
import { CURVE_KINDS, correctCurveShares } from '#core/judgement/capacity/testing/drawnCurves.ts';
import { differentShare } from '#core/comparison/testing/samePairs.ts';
import { makeCoverage } from '#core/judgement/verdict/testing/coverage.ts';
import { groupedCoverage } from '#core/judgement/verdict/testing/groupedCoverage.ts';
import { PAUSING_SERVERS, judgeRarePauses } from '#core/judgement/verdict/testing/rarePauses.ts';
import { SERVER_KINDS } from '#core/judgement/verdict/testing/simulatedServers.ts';
import type { Measurement } from '../commands.ts';
import { markdownTable } from '../output/table.ts';
import { readInteger } from '../running/readInteger.ts';

const PARTS = ['shares', 'groups', 'pauses', 'searches', 'curves', 'comparisons'] as const;
type Part = (typeof PARTS)[number];

const USAGE = `node bench/main.ts coverage [options]
  --only PART,PART   of ${PARTS.join(', ')} (all)
  --runs N           simulated runs, searches, curves, comparisons of each kind (1000)
  --seed N           others are drawn (1)
  --truth N          shares, groups: runs by which the truth about a kind is known (2000)
  --seconds N        shares, groups: length of a run, of a stage (60)
  --per-second N     shares, groups: requests in a second (40)
  --help             this`;

/** Minimum share of statements with 95 % confidence that have to be true. */
const MIN_TRUE_SHARE = 0.95;
/** Minimum share for statements about rare events. Few runs contain such an event, so nearly all statements have to be true. */
const MIN_TRUE_SHARE_OF_RARE = 0.9;
/** Maximum share of pairs of equal servers that may be called different. */
const MAX_DIFFERENT_SHARE = 0.05;
/** Minimum number of decisions, relative to those of a judge that knows how requests cluster. */
const MIN_EQUAL_SHARE = 0.8;
const MAX_OPTION = 100_000;
/** A run of 26,718 requests without a slow one. Such a run cannot have contained an event that happens once a minute. */
const SHORT_RUN = { seconds: 24, perSecond: 1_113 };

interface Options {
  readonly runs: number;
  readonly seed: number;
  readonly truth: number;
  readonly watching: { readonly seconds: number; readonly perSecond: number };
}

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
      row({ runs, seed, truth, watching }) {
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
      row({ runs, seed, truth, watching }) {
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
        const foundPlayedSearches = Array.from({ length: runs }, () => search(random));
        const sustained = foundPlayedSearches.filter(({ conclusion, limit }) => isHeldBy(conclusion, limit)).length / runs;
        const near =
          foundPlayedSearches.filter(({ conclusion, limit }) => Math.abs((conclusion.estimate ?? 0) / limit - 1) <= 0.05).length / runs;
        const widths = foundPlayedSearches.map(({ conclusion: { range } }) => (range.high ?? Infinity) / (range.low ?? 0) - 1);
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
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...parameters],
    options: { only: text, runs: text, seed: text, truth: text, seconds: text, 'per-second': text, help: { type: 'boolean' } },
  });
  if (values.help) return () => console.log(USAGE);
  const problems: string[] = [];
  const options: Options = {
    runs: readInteger('runs', values.runs, MAX_OPTION, problems) ?? 1_000,
    seed: readInteger('seed', values.seed, MAX_OPTION, problems) ?? 1,
    truth: readInteger('truth', values.truth, MAX_OPTION, problems) ?? 2_000,
    watching: {
      seconds: readInteger('seconds', values.seconds, MAX_OPTION, problems) ?? 60,
      perSecond: readInteger('per-second', values['per-second'], MAX_OPTION, problems) ?? 40,
    },
  };
  const only = values.only?.split(',') ?? PARTS;
  for (const one of only) if (!PARTS.some((part) => part === one)) problems.push(`--only ${one}: there are ${PARTS.join(', ')}.`);
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n\n${USAGE}`);
  const parts = PARTS.filter((one) => only.includes(one));
  return (signal, print) => measureCoverage(parts, options, signal, print);
}

function measureCoverage(parts: readonly Part[], options: Options, signal: AbortSignal, print: (line: string) => void): void {
  for (const part of parts) {
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
