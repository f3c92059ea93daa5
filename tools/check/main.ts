// What `npm test` runs, under Node 24 or newer and with all dependencies there. Arguments name single steps: `npm test -- types lint`; `--all` is
// for nights.
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBuild } from '../launch/build.mjs';
import { capture } from '../launch/run.mjs';
import { findElectron } from '../launch/electron.mjs';
import { say } from '../launch/say.mjs';
import { DOORS, ENGINE_RUNS, isTimed, readDoor, whatIsLacking, whatIsNotTried } from './doors.ts';
import { type Failure, readPlaywright, readStories, readVitest } from './report.ts';
import { campaignStep, runSteps, type Step, type StepResult, suiteStep, toolStep } from './step.ts';
import { installedBrowser } from './browser.ts';

/**
 * The last words of a run, and whether it passed. `strict` makes what is missing a failure (see the steps for what may be); `rest` says what was not
 * to run.
 */
export function summarize(
  results: readonly StepResult[],
  strict: boolean,
  rest: string | null = null,
): { readonly text: string; readonly passed: boolean } {
  const rows = results.map(({ name, seconds, counts, problem, missing = [] }) => {
    const bad = problem !== undefined || counts.failed > 0 || (strict && missing.length > 0);
    const tests = counts.passed + counts.failed > 0 ? `${counts.passed} passed, ${counts.failed} failed` : '';
    return {
      bad,
      missing,
      failed: counts.failed + (bad && counts.failed === 0 ? 1 : 0),
      passed: counts.passed,
      line: `${bad ? 'FAIL' : 'ok  '} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${tests}`.trimEnd(),
    };
  });
  const missing = rows.flatMap((row) => row.missing);
  const failures = results.flatMap((result) => result.failures ?? []);
  const unjudged = results.flatMap((result) => result.unjudged ?? []);
  const repeated = results.flatMap((result) => result.repeated ?? []);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const lines = [
    '',
    ...rows.map(({ line }) => line),
    ...(missing.length > 0 ? ['', `${missing.length} not run here:`, ...missing.map((line) => `- ${line}`)] : []),
    ...(unjudged.length > 0 ? ['', 'not judged, for too much of the processors was taken away by others:', ...unjudged.map(listed)] : []),
    ...(failures.length > 0 ? ['', 'failed:', ...failures.map(listed)] : []),
    ...(repeated.length > 0 ? ['', 'failed at first, and passed when repeated alone:', ...repeated.map(listed)] : []),
    '',
    ...(rest === null ? [] : [rest]),
    `${repeated.length} passed at their second try`,
    // Machines read this line: a check that fails without a test of its own counts as one failure.
    `${passed} passed, ${failed} failed`,
  ];
  return { text: `${lines.join('\n')}\n`, passed: failed === 0 };
}

const listed = ({ place, test }: Failure): string => `- ${place}: ${test}`;

const limitMs = 5 * 60_000;

/**
 * Makes sure that there is a Chromium for the tests: one of this machine, else the one Playwright brings, else Debian's package
 * when we may install it. Gives the reason when there is none in the end.
 */
async function ensureBrowser(root: string): Promise<string | undefined> {
  if (installedBrowser() ?? (existsSync(chromium.executablePath()) || undefined)) return undefined;
  say('installing the browser for the tests');
  const playwright = await capture(
    process.execPath,
    [`${root}/node_modules/@playwright/test/cli.js`, 'install', 'chromium-headless-shell'],
    {
      cwd: root,
      timeoutMs: limitMs,
    },
  );
  if (playwright.code === 0) return undefined;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await capture('apt-get', ['update', '-qq'], { timeoutMs: limitMs });
    await capture('apt-get', ['install', '-y', '-qq', 'chromium'], { timeoutMs: limitMs });
    if (installedBrowser()) return undefined;
  }
  return 'no Chromium could be installed: install one (Debian: apt-get install chromium) or let `npx playwright install chromium` through';
}

/** Electron's executable for the tests of the desktop app, or why they cannot run here. */
export async function desktopForTests(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly file: string } | { readonly reason: string }> {
  const { file, reason } = await findElectron({ root, environment });
  if (file === undefined) return { reason: reason ?? 'there is no Electron' };
  const hasDisplay = process.platform !== 'linux' || environment['DISPLAY'] !== undefined || environment['WAYLAND_DISPLAY'] !== undefined;
  return hasDisplay ? { file } : { reason: 'there is no display (xvfb-run npm test gives it one)' };
}

const root = resolve(import.meta.dirname, '..', '..');
const { door, strict, steps: wanted } = readDoor(process.argv.slice(2), process.env);
const contents = DOORS[door];
const reports = `${root}/.build`;
const nothing = { passed: 0, failed: 0, skipped: 0 };
mkdirSync(reports, { recursive: true });

// Hundreds of processes and threads load the same sources: their types need to be erased once only.
const compileCache = { NODE_COMPILE_CACHE: `${reports}/compile-cache` };

/** Vitest over some of the tests. */
function vitestStep(name: string, report: string, chosen: readonly string[], environment: NodeJS.ProcessEnv = {}): Step {
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return suiteStep({
    name,
    root,
    file: 'node_modules/vitest/vitest.mjs',
    args: [...args, ...chosen],
    environment: { ...compileCache, HOLDFAST_BUILT_THREADS: '1', ...environment },
    report,
    read: readVitest,
    isTimed: ({ place }) => isTimed(place),
    // Counts are right or wrong, however busy the machine is.
    again: (places) =>
      places.some((place) => place.endsWith('/exactness.test.ts')) ? null : [...args, '--no-file-parallelism', ...places],
  });
}

/** Once each: how often a load is repeated says more of chance than of the code. */
const engines = vitestStep('engines', `${reports}/engines.json`, ENGINE_RUNS, { HOLDFAST_REPETITIONS: '1' });
const vitestOfDoor = vitestStep('tests', `${reports}/vitest.json`, contents.vitest, contents.environment);

const vitest: Step = {
  name: 'tests',
  async act() {
    // Threads start from it.
    await ensureBuild(root);
    // A report is printed by it; where there is none, the test that prints says so.
    await ensureBrowser(root);
    // One process fills the cache before many threads want the same sources at once (see src/engine/workerHandle.ts).
    const load = "import('./workers/loadThread.ts')";
    await capture(process.execPath, ['-e', load], { cwd: root, env: { ...process.env, ...compileCache } });
    return vitestOfDoor.act();
  },
};

const playwrightReport = `${reports}/playwright.json`;
const playwrightArguments = ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json'];
const playwright = suiteStep({
  name: 'e2e',
  root,
  file: 'node_modules/@playwright/test/cli.js',
  args: [...playwrightArguments, ...contents.playwright],
  environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
  report: playwrightReport,
  read: readPlaywright,
  again: (places) => [...playwrightArguments, '--workers=1', `--output=${reports}/repeated`, ...places],
});

const e2e: Step = {
  name: 'e2e',
  async act() {
    const noBrowser = await ensureBrowser(root);
    if (noBrowser !== undefined) return { counts: nothing, missing: [noBrowser] };
    return playwright.act();
  },
};

const storyReport = `${reports}/stories.json`;
const stories = suiteStep({
  name: 'stories',
  root,
  file: 'e2e/stories/main.ts',
  args: ['--report', storyReport],
  report: storyReport,
  read: readStories,
  isTimed: ({ ofTimes }) => ofTimes === true,
});

const build: Step = {
  name: 'build',
  async act() {
    await ensureBuild(root, { force: strict });
    return { counts: nothing };
  },
};

const steps = [
  toolStep('types', root, 'typescript/bin/tsc', ['-b']),
  toolStep('lint', root, 'oxlint/bin/oxlint', ['--deny-warnings']),
  toolStep('format', root, 'oxfmt/bin/oxfmt', ['--check']),
  toolStep('unused', root, 'knip/bin/knip.js', []),
  build,
  vitest,
  // The other doors have them among their tests.
  ...(door === 'quick' ? [engines] : []),
  ...(contents.stories ? [stories] : []),
  e2e,
  ...contents.campaigns.map((args) => campaignStep(root, args)),
];

const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no step ${unknown.join(', ')}: use some of ${steps.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}
for (const lacking of [whatIsLacking(), whatIsNotTried()]) if (lacking !== null) process.stdout.write(`${lacking}\n`);
const results = await runSteps(wanted.length > 0 ? steps.filter(({ name }) => wanted.includes(name)) : steps);
const { text, passed } = summarize(results, strict, contents.rest);
const desktop = await desktopForTests(root);
// The one part that may be missing everywhere: said and counted, never failed on.
if ('reason' in desktop) process.stdout.write(`\n1 part not run: the desktop app in its own Electron, because ${desktop.reason}\n`);
process.stdout.write(text);
process.exitCode = passed ? 0 : 1;
