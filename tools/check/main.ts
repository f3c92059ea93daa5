// The program of `npm test`. It runs under Node 24 or newer with all dependencies. Arguments select single steps: `npm test -- types lint`.
// `--all` selects the nightly check.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureBuild } from '../launch/build.mjs';
import { capture } from '../launch/run.mjs';
import { desktopForTests, ensureBrowser } from './browser.ts';
import { describeMissingPrograms, DOORS, isTimed, readSelection, SERVERLESS } from './doors.ts';
import { readBreaks, readPlaywright, readStories, readVitest } from './report.ts';
import { LOW_PRIORITY, programStep, runSteps, type Step, suiteStep, summarize, toolStep } from './step.ts';

const root = resolve(import.meta.dirname, '..', '..');
const { door, strict: isStrict, steps: wantedSteps } = readSelection(process.argv.slice(2), process.env);
const selection = DOORS[door];
const reports = `${root}/.build`;
const NO_COUNTS = { passed: 0, failed: 0, skipped: 0 };
mkdirSync(reports, { recursive: true });

// Hundreds of processes and threads load the same sources. With this cache, their types are stripped only once.
const compileCache = { NODE_COMPILE_CACHE: `${reports}/compile-cache` };

let browser: Promise<string | undefined> | undefined;
/** Installs the browser for the tests once, although several steps need it. Returns the reason if there is none. */
const browserReady = (): Promise<string | undefined> => (browser ??= ensureBrowser(root));

/** Returns the arguments and the report of a step that runs these projects of vite.config.ts. */
function vitestSuite(name: string, projects: readonly string[]): Parameters<typeof suiteStep>[0] {
  const report = `${reports}/vitest-${name}.json`;
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return {
    name,
    root,
    file: 'node_modules/vitest/vitest.mjs',
    args: [...args, ...projects.flatMap((project) => ['--project', project])],
    environment: { ...compileCache, HOLDFAST_BUILT_THREADS: '1', ...selection.environment },
    report,
    read: readVitest,
    isTimed: ({ location }) => isTimed(location),
    // An exact count that was wrong is not repeated, because a busy machine does not explain it.
    again: (places) =>
      places.some((location) => location.endsWith('/exactness.test.ts')) ? null : [...args, '--no-file-parallelism', ...places],
  };
}

/** Returns a step whose tests start the built files and print reports with a browser. */
function serverStep(name: string, projects: readonly string[]): Step {
  const suite = suiteStep(vitestSuite(name, projects));
  return {
    name,
    async act() {
      await ensureBuild(root);
      // Without a browser, the test of printing reports that.
      await browserReady();
      // One process fills the cache before many threads load the same sources at once (see src/engine/workerHandle.ts).
      const load = "import('./workers/loadThread.ts')";
      await capture(process.execPath, ['-e', load], { cwd: root, env: { ...process.env, ...compileCache } });
      return suite.act();
    },
  };
}

const isQuick = door === 'quick';
/** Browser tests and breaks run beside other steps unless they were selected alone. */
const beside = wantedSteps.length === 1 ? {} : { besideAt: 0 };

/** Returns a step that runs the browser tests, or only those with or without large loads (e2e/playwright.config.ts). */
function walkStep(name: string, loads: 'all' | 'large' | 'small'): Step {
  const report = `${reports}/playwright-${name}.json`;
  const args = ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json'];
  const suite = suiteStep({
    name,
    root,
    file: 'node_modules/@playwright/test/cli.js',
    args: [...args, `--output=e2e/artifacts/${name}`, ...selection.playwright],
    environment: { ...compileCache, ...selection.environment, HOLDFAST_LOADS: loads, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    report,
    read: readPlaywright,
    again: (places) => [...args, '--workers=1', '--trace=retain-on-failure', `--output=${reports}/repeated-${name}`, ...places],
    ...beside,
  });
  return {
    name,
    isSilent: true,
    isLong: true,
    needsEarlierSteps: true,
    async act() {
      const noBrowser = await browserReady();
      if (noBrowser !== undefined) return { counts: NO_COUNTS, missing: [noBrowser] };
      return suite.act();
    },
  };
}

const storyReport = `${reports}/stories.json`;
const stories: Step = {
  ...suiteStep({
    name: 'stories',
    root,
    file: 'e2e/stories/main.ts',
    args: ['--report', storyReport],
    report: storyReport,
    read: readStories,
    isTimed: ({ ofTimes }) => ofTimes === true,
  }),
  needsIdleMachine: true,
};

const breakReport = `${reports}/breaks.json`;
const breaks: Step = {
  ...suiteStep({
    name: 'breaks',
    root,
    file: 'e2e/stories/main.ts',
    args: ['--break', ...(selection.breaks ?? []), '--report', breakReport],
    environment: compileCache,
    report: breakReport,
    read: readBreaks,
    ...beside,
  }),
  isSilent: true,
  isLong: true,
};

/** The tests without servers only compute. With a low priority, they use the processor time that other steps leave. */
const serverless: Step = {
  ...suiteStep({ ...vitestSuite('tests', SERVERLESS), besideAt: LOW_PRIORITY }),
  isSilent: true,
  isLong: true,
};

const build: Step = {
  name: 'build',
  isSilent: true,
  async act() {
    await ensureBuild(root, { force: isStrict });
    return { counts: NO_COUNTS };
  },
};

/** Seed for the choice of mutants, which differ every night but are the same within a day. */
const seedOfTheDay = String(Math.floor(Date.now() / 86_400_000));

const steps = [
  // One checker per project, because several checkers repeat work in parallel and take twice the processor time. The last project needs all
  // others, so later steps, which judge no times, run at the same time. With GOGC=400, checking takes 2.1 GB instead of 1.4 GB, but 25
  // % less processor time.
  { ...toolStep('types', root, 'typescript/bin/tsc', ['-b', '--checkers', '1'], { GOGC: '400' }), isLong: true },
  toolStep('lint', root, 'oxlint/bin/oxlint', ['--deny-warnings']),
  toolStep('format', root, 'oxfmt/bin/oxfmt', ['--check']),
  toolStep('unused', root, 'knip/bin/knip.js', []),
  build,
  // Tests with servers and browser tests wait for small loads most of the time, so they run at the same time. Large loads follow, beside
  // tests that only compute. In the quick check, everything is small enough to run at the same time.
  ...(isQuick ? [serverless] : []),
  walkStep('e2e', isQuick ? 'all' : 'small'),
  serverStep('servers', selection.servers),
  ...(isQuick ? [] : [walkStep('loads', 'large'), serverless]),
  ...(selection.breaks === null ? [] : [breaks]),
  ...(selection.stories ? [stories] : []),
  ...(selection.timed.length === 0 ? [] : [{ ...serverStep('timed', selection.timed), needsIdleMachine: true }]),
  ...selection.campaigns.map(([campaign, ...args]) =>
    programStep({ name: `bench ${campaign}`, root, file: 'bench/main.ts', args: [campaign, ...args] }),
  ),
  ...(selection.mutants === null
    ? []
    : [programStep({ name: 'mutants', root, file: 'tools/mutation/main.ts', args: [...selection.mutants, '--seed', seedOfTheDay] })]),
];

const unknownWantedSteps = wantedSteps.filter((name) => !steps.some((step) => step.name === name));
if (unknownWantedSteps.length > 0) {
  process.stderr.write(`No step ${unknownWantedSteps.join(', ')}. The steps are: ${steps.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}
const missingPrograms = describeMissingPrograms();
if (missingPrograms !== null) process.stdout.write(`${missingPrograms}\n`);
const results = await runSteps(wantedSteps.length > 0 ? steps.filter(({ name }) => wantedSteps.includes(name)) : steps);
const { text, passed } = summarize(results, isStrict, selection.rest);
const desktop = await desktopForTests(root);
// The desktop app is the only part that may be missing everywhere. That is reported and counted, but is never a failure.
if ('reason' in desktop) process.stdout.write(`\n1 part not run: the desktop app in its own Electron, because ${desktop.reason}\n`);
process.stdout.write(text);
process.exitCode = passed ? 0 : 1;
