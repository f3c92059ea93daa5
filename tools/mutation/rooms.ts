/** Rooms of the core, and how many of the small changes that Stryker makes in them the pure tests have to notice. */
export interface Room {
  readonly name: string;
  /** Patterns of files below src/core, tests left out. */
  readonly files: readonly string[];
  /** And those that are another room's. */
  readonly without: readonly string[];
  /** Patterns of the tests that have to notice. */
  readonly tests: readonly string[];
  /** Share of the changes that a test notices. */
  readonly least: number;
}

/** Where numbers are made and judged. */
const HEART: Readonly<Record<string, string>> = {
  statistics: 'statistics',
  measurement: 'measurement',
  load: 'work/load',
  verdict: 'judgement/verdict',
  diagnosis: 'judgement/diagnosis',
  search: 'search',
  comparison: 'comparison',
};

const MIN_SHARE_IN_CORE = 0.9;
const MIN_SHARE_ELSEWHERE = 0.75;

const under = (folder: string): string => `src/core/${folder}/**/*.ts`;
const testsUnder = (folder: string): string => `src/core/${folder}/**/*.test.ts`;
/** Of the door of a room: `buildResult` for those of the judgement. */
const testsBeside = (folder: string): string => `src/core/${folder.split('/').slice(0, -1).join('/')}/*.test.ts`;

/** Where plans, runs and results are read, written and described. */
const EDGES = ['export', 'import', 'k6', 'presentation'];
const REST = ['base', 'calculators', 'judgement', 'machines', 'plan', 'presets', 'result', 'review', 'series', 'work'];

export const ROOMS: readonly Room[] = [
  ...Object.entries(HEART).map(([name, folder]) => ({
    name,
    files: [under(folder)],
    without: [],
    tests: [testsUnder(folder), ...(folder.includes('/') ? [testsBeside(folder)] : [])],
    least: MIN_SHARE_IN_CORE,
  })),
  ...Object.entries({ rest: REST, edges: EDGES }).map(([name, folders]) => ({
    name,
    files: folders.map(under),
    without: Object.values(HEART).map(under),
    tests: folders.map(testsUnder),
    least: MIN_SHARE_ELSEWHERE,
  })),
];

/** Tests that draw hundreds of runs: seconds for each of thousands of changes. What only they notice, a worked example has to state. */
export const OF_MANY_RUNS = ['coverage', 'rarePauses', 'wholeSearches', 'samePairs', 'recordedRuns', 'simulatedRuns', 'healthy'];
