import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, matchesGlob } from 'node:path';

/**
 * How much of all that there is: `quick` before a commit, `full` before something is handed on (what CI calls), `nightly` where nobody waits.
 * docs/testing.md says what is held where.
 */
export type Door = 'quick' | 'full' | 'nightly';

export interface Contents {
  /** Arguments for Vitest: which of the projects in vite.config.ts. */
  readonly vitest: readonly string[];
  /** How often tests repeat what chance might spoil, and what walks look at twice. */
  readonly environment: NodeJS.ProcessEnv;
  /** Arguments for Playwright: which walks through the browser, by their tags. */
  readonly playwright: readonly string[];
  readonly stories: boolean;
  /** Which cells of the breaks are played (docs/stories.md), as arguments; null for none. */
  readonly breaks: readonly string[] | null;
  /** Campaigns of the bench in their short form, each as its arguments. */
  readonly campaigns: readonly (readonly [string, ...string[]])[];
  /** How many small changes of each room of the core are tried, as arguments; null for none. */
  readonly mutants: readonly string[] | null;
  /** What there is beside it, and how it is run; null where this is all. */
  readonly rest: string | null;
}

/** One real load of each engine, held against what its server counted. */
export const ENGINE_RUNS: readonly string[] = ['src/cli/exactness.test.ts', 'src/backend/services/runs/k6Run.test.ts'];

const NOT_NIGHTLY = ['--project', '!nightly'];

export const DOORS: Readonly<Record<Door, Contents>> = {
  quick: {
    vitest: ['pure', 'shell', 'engines'].flatMap((name) => ['--project', name]),
    // How often a load is repeated says more of chance than of the code.
    environment: { HOLDFAST_REPETITIONS: '1' },
    playwright: ['--grep', '@preset'],
    stories: false,
    breaks: null,
    campaigns: [],
    mutants: null,
    rest: 'This was the quick check. CI=true npm test also runs the rest, except nightly tests. npm run test:all runs everything (docs/testing.md).',
  },
  full: {
    vitest: NOT_NIGHTLY,
    environment: {},
    playwright: ['--grep-invert', '@nightly'],
    stories: false,
    breaks: ['--cells', '8'],
    campaigns: [],
    mutants: null,
    rest: 'npm run test:all adds what is for nights: long tests, all stories, the campaigns of the bench, changes that tests have to notice (docs/testing.md).',
  },
  nightly: {
    vitest: [],
    environment: { HOLDFAST_REPETITIONS: '20', HOLDFAST_KILLS: '20', HOLDFAST_ALL_COLOURS: '1' },
    playwright: [],
    stories: true,
    breaks: ['--within', '1800'],
    campaigns: [
      ['fuzz', '--seconds', '20'],
      ['hostile', '--seconds', '60', '--seed', '1'],
      ['kills', '--count', '60', '--seed', '1'],
      ['coverage', '--runs', '100', '--truth', '500'],
      ['answers', '--runs', '2', '--seed', '1'],
    ],
    mutants: ['--sample', '200'],
    rest: null,
  },
};

/** What the command line and the environment ask for: `--all` for nights, CI for everything else; words name single steps. */
export function readDoor(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): { readonly door: Door; readonly strict: boolean; readonly steps: readonly string[] } {
  const strict = environment['CI'] === 'true';
  return { door: args.includes('--all') ? 'nightly' : strict ? 'full' : 'quick', strict, steps: args.filter((word) => word !== '--all') };
}

/** Tests that keep every processor busy, or judge a few milliseconds: nothing else may run beside them. */
export const TIMED_ALONE = [
  'src/backend/visits/processorsTaken.test.ts',
  'src/cli/veto.test.ts',
  'src/selftest/runSelfTest.test.ts',
  'workers/drivers/native/paced/{pacerAim,responseTimes}.test.ts',
];

/** Tests that judge how fast something went, and wait most of the time: two may run side by side. */
export const TIMED_CALM = [
  'src/engine/ratesOfUsers.test.ts',
  'src/lab/link/bandwidth.test.ts',
  'src/lab/node-vs-gunicorn/times.test.ts',
  'workers/drivers/native/paced/continuing.test.ts',
  'workers/journey/besides.test.ts',
];

/** Of the tests that others may run beside: those that play a story, which compares times. */
const TIMED = [...TIMED_ALONE, ...TIMED_CALM, 'e2e/stories/stories{,.nightly}.test.ts', 'src/engine/agreement.nightly.test.ts'];

/** Whether a test says something about times. Under a processor that others take away it then says nothing about this code. */
export function isTimed(place: string): boolean {
  return TIMED.some((glob) => matchesGlob(place, `**/${glob}`) || matchesGlob(place, glob));
}

/** More than this share of the processors' time taken away by the machine's host, and times are not worth judging. */
export const MAX_STOLEN_SHARE = 0.1;

/** Starts to measure; returns what gives the share of the processors' time that was taken away since, null where that is not known. */
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
    // User, nice, system, idle, waiting, two kinds of interrupts, stolen: see proc_stat(5). Guests are within the first two.
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const times = line.split(/\s+/).slice(1, 9).map(Number);
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
  } catch {
    return null;
  }
}

/** Programs that some tests work with, by the Debian packages that have them. Without one, the quick check leaves its tests out and names them. */
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

/** The programs that this machine lacks, and the command that installs them; null when nothing is missing. */
export function describeMissingPrograms(environment: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  const missing = Object.keys(PACKAGES).filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length === 0) return null;
  const packages = missing.map((program) => PACKAGES[program]).join(' ');
  return `This machine lacks ${missing.join(', ')}: tests that need them cannot run. On Debian and Ubuntu: sudo apt-get install --yes ${packages}`;
}
