/** A room of the core, and the minimum share of Stryker's changes that its pure tests must detect. */
export interface Room {
  readonly name: string;
  /** Glob patterns of the files that are changed. Tests among them are left out. */
  readonly files: readonly string[];
  /** Glob patterns of files that belong to other rooms. */
  readonly without: readonly string[];
  /** Glob patterns of the tests that must detect the changes. */
  readonly tests: readonly string[];
  /** Minimum share of changes that the tests must detect. */
  readonly least: number;
}

/** The rooms that compute and judge numbers, each with its folder. */
const COMPUTING_ROOMS: Readonly<Record<string, string>> = {
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

const filesUnder = (folder: string): string => `src/core/${folder}/**/*.ts`;
const testsUnder = (folder: string): string => `src/core/${folder}/**/*.test.ts`;
/** Returns a glob pattern of the tests directly in the parent folder. For the judgement, these are the tests of `buildResult`. */
const testsBeside = (folder: string): string => `src/core/${folder.split('/').slice(0, -1).join('/')}/*.test.ts`;

/** The rooms that read, write and describe plans, runs and results. */
const FORMAT_ROOMS = ['export', 'import', 'k6', 'presentation'];
const OTHER_ROOMS = ['base', 'calculators', 'judgement', 'machines', 'plan', 'presets', 'result', 'review', 'series', 'work'];

export const ROOMS: readonly Room[] = [
  ...Object.entries(COMPUTING_ROOMS).map(([name, folder]) => ({
    name,
    files: [filesUnder(folder)],
    without: [],
    tests: [testsUnder(folder), ...(folder.includes('/') ? [testsBeside(folder)] : [])],
    least: MIN_SHARE_IN_CORE,
  })),
  ...Object.entries({ rest: OTHER_ROOMS, edges: FORMAT_ROOMS }).map(([name, folders]) => ({
    name,
    files: folders.map(filesUnder),
    without: Object.values(COMPUTING_ROOMS).map(filesUnder),
    tests: folders.map(testsUnder),
    least: MIN_SHARE_ELSEWHERE,
  })),
];

/**
 * Tests that simulate hundreds of runs, which is too slow for thousands of changes. What only these tests detect must also be covered by a
 * worked example.
 */
export const MANY_RUN_TESTS = ['coverage', 'rarePauses', 'wholeSearches', 'samePairs', 'recordedRuns', 'simulatedRuns', 'healthy'];

/** The environment variable with the name of the room whose tests run. */
export const ROOM_VARIABLE = 'HOLDFAST_MUTATED_ROOM';
