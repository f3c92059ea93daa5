import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, matchesGlob } from 'node:path';

/**
 * The extent of a check: `quick` before a commit, `full` before a release (as in CI), `nightly` when nobody waits for it. docs/testing.md
 * says what each one covers.
 */
export type Door = 'quick' | 'full' | 'nightly';

export interface DoorContents {
  /** Projects of vite.config.ts that use real servers. */
  readonly servers: readonly string[];
  /** Projects of vite.config.ts that need an otherwise idle machine, because most of them judge times. */
  readonly timed: readonly string[];
  /** Environment variables that set how often random tests are repeated, and the extent of browser tests. */
  readonly environment: NodeJS.ProcessEnv;
  /** Arguments for Playwright, which select browser tests by tag. */
  readonly playwright: readonly string[];
  readonly stories: boolean;
  /** Arguments that select the cells of breaks (docs/stories.md), or null to skip the breaks. */
  readonly breaks: readonly string[] | null;
  /** Short bench campaigns, each as its list of arguments. */
  readonly campaigns: readonly (readonly [string, ...string[]])[];
  /** Arguments for the mutants of the core, or null if they are not run. */
  readonly mutants: readonly string[] | null;
  /** What this extent omits, and how to run that; null if it omits nothing. */
  readonly rest: string | null;
}

/** The tests that run one real load with each engine and compare the engine's counts with the server's. */
export const ENGINE_RUNS: readonly string[] = ['src/cli/exactness.test.ts', 'src/backend/services/runs/k6Run.test.ts'];

/** Projects of vite.config.ts without servers. */
export const SERVERLESS: readonly string[] = ['pure', 'shell'];

const ALL_SERVERS = ['engines', 'load', 'apart'];

export const DOORS: Readonly<Record<Door, DoorContents>> = {
  quick: {
    servers: ['engines'],
    timed: [],
    // Repetitions of a load test the effect of chance, not the code, so one is enough here.
    environment: { HOLDFAST_REPETITIONS: '1' },
    playwright: ['--grep', '@quick'],
    stories: false,
    breaks: null,
    campaigns: [],
    mutants: null,
    rest: 'This was the quick check. CI=true npm test also runs the rest, except nightly tests. npm run test:all runs everything (docs/testing.md).',
  },
  full: {
    servers: ALL_SERVERS,
    timed: ['calm', 'alone'],
    environment: {},
    playwright: ['--grep-invert', '@nightly'],
    stories: false,
    breaks: ['--cells', '8'],
    campaigns: [],
    mutants: null,
    rest: 'npm run test:all adds what is for nights: long tests, all stories, the campaigns of the bench, changes that tests have to notice (docs/testing.md).',
  },
  nightly: {
    servers: ALL_SERVERS,
    timed: ['calm', 'alone', 'nightly'],
    environment: { HOLDFAST_REPETITIONS: '20', HOLDFAST_KILLS: '20', HOLDFAST_ALL_COLOURS: '1' },
    playwright: [],
    stories: true,
    breaks: ['--within', '1800'],
    campaigns: [
      ['fuzz', '--seconds', '20'],
      ['hostile', '--seconds', '60', '--seed', '1'],
      ['kills', '--count', '60', '--seed', '1'],
      ['coverage', '--runs', '100', '--truth', '500'],
      ['conclusions', '--runs', '2', '--seed', '1'],
    ],
    mutants: ['--sample', '200'],
    rest: null,
  },
};

/**
 * Returns what the command line and the environment select. `--all` selects the nightly check, and CI the full one. Names select single
 * steps.
 */
export function readSelection(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): { readonly door: Door; readonly strict: boolean; readonly steps: readonly string[] } {
  const strict = environment['CI'] === 'true';
  return { door: args.includes('--all') ? 'nightly' : strict ? 'full' : 'quick', strict, steps: args.filter((word) => word !== '--all') };
}

/** Tests that use every processor or judge times of a few milliseconds, so that no other test may run at the same time. */
export const TIMED_ALONE = [
  'src/backend/visits/processorsTaken.test.ts',
  'src/cli/veto.test.ts',
  'src/selftest/runSelfTest.test.ts',
  'workers/drivers/native/paced/{pacerAim,responseTimes}.test.ts',
];

/** Tests that judge rates but wait most of the time, so that two may run in parallel. */
export const TIMED_CALM = [
  'src/engine/ratesOfUsers.test.ts',
  'src/lab/link/bandwidth.test.ts',
  'src/lab/node-vs-gunicorn/times.test.ts',
  'workers/drivers/native/paced/continuing.test.ts',
  'workers/journey/besides.test.ts',
];

/** Glob patterns of all tests that judge times, including the stories, beside which other tests may run. */
const TIMED = [...TIMED_ALONE, ...TIMED_CALM, 'e2e/stories/stories{,.nightly}.test.ts', 'src/engine/agreement.nightly.test.ts'];

/** Returns whether a test judges times. If processor time was stolen, its failure says nothing about the code. */
export function isTimed(location: string): boolean {
  return TIMED.some((glob) => matchesGlob(location, `**/${glob}`) || matchesGlob(location, glob));
}

/** Maximum share of stolen processor time at which times are judged. */
export const MAX_STOLEN_SHARE = 0.1;

/** Starts a measurement. Returns a function that returns the share of processor time that was stolen since then; null if unknown. */
export function watchSteal(): () => number | null {
  const before = processorTimes();
  return () => {
    const after = processorTimes();
    if (before === null || after === null) return null;
    const all = after.all - before.all;
    return all > 0 ? (after.stolen - before.stolen) / all : null;
  };
}

function processorTimes(): { readonly all: number; readonly stolen: number } | null {
  try {
    // The fields are user, nice, system, idle, I/O wait, two kinds of interrupts and stolen: see proc_stat(5). The first two include the
    // time of guests.
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const times = line.split(/\s+/).slice(1, 9).map(Number);
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
  } catch {
    return null;
  }
}

/** Programs that some tests need, with their Debian packages. The quick check skips and names the tests whose program is missing. */
const PACKAGES: Readonly<Record<string, string>> = {
  curl: 'curl',
  nginx: 'nginx',
  openssl: 'openssl',
  pdfinfo: 'poppler-utils',
  python3: 'python3 python3-venv',
  psql: 'postgresql',
  sshd: 'openssh-server',
  sudo: 'sudo',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  varnishd: 'varnish',
};

/** Returns a sentence with the missing programs and the command that installs them; null if none is missing. */
export function describeMissingPrograms(environment: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  const missing = Object.keys(PACKAGES).filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length === 0) return null;
  const packages = missing.map((program) => PACKAGES[program]).join(' ');
  return `This machine lacks ${missing.join(', ')}: tests that need them cannot run. On Debian and Ubuntu: sudo apt-get install --yes ${packages}`;
}
