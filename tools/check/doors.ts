/**
 * How much of all that there is: `quick` before a commit, `full` before something is handed on (what CI calls), `nightly` where nobody waits.
 * docs/testing.md says what is held where.
 */
export type Door = 'quick' | 'full' | 'nightly';

export interface Contents {
  /** Arguments for Vitest: which of the projects in vite.config.ts. */
  readonly vitest: readonly string[];
  /** How often tests repeat what chance might spoil. */
  readonly environment: NodeJS.ProcessEnv;
  /** Arguments for Playwright: which walks through the browser, by their tags. */
  readonly playwright: readonly string[];
  readonly stories: boolean;
  /** Campaigns of the bench in their short form, each as its arguments. */
  readonly campaigns: readonly (readonly string[])[];
  /** What there is beside it, and how it is run; null where this is all. */
  readonly rest: string | null;
}

/** One real load of each engine, held against what its server counted. */
export const ENGINE_RUNS: readonly string[] = ['src/cli/exactness.test.ts', 'src/backend/services/runs/k6Run.test.ts'];

const NOT_NIGHTLY = ['--project', '!nightly'];

export const DOORS: Readonly<Record<Door, Contents>> = {
  quick: {
    vitest: ['--project', 'pure', '--project', 'shell'],
    environment: {},
    playwright: ['--grep', '@preset'],
    stories: false,
    campaigns: [],
    rest: 'This was the quick check. CI=true npm test runs everything but what is for nights, npm run test:all that too (docs/testing.md).',
  },
  full: {
    vitest: NOT_NIGHTLY,
    environment: {},
    playwright: ['--grep-invert', '@nightly'],
    stories: false,
    campaigns: [],
    rest: 'npm run test:all adds what is for nights: long tests, all stories, the campaigns of the bench (docs/testing.md).',
  },
  nightly: {
    vitest: [],
    environment: { HOLDFAST_REPETITIONS: '20', HOLDFAST_KILLS: '20' },
    playwright: [],
    stories: true,
    campaigns: [
      ['fuzz', '--seconds', '20'],
      ['hostile', '--seconds', '60', '--seed', '1'],
      ['kills', '--count', '60', '--seed', '1'],
      ['coverage', '--runs', '100', '--truth', '500'],
      ['answers', '--runs', '2', '--seed', '1'],
    ],
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
