// Runs a load test in a build of GitHub or GitLab: saves the reports, writes the job summary and the annotations, comments on the pull
// request, and exits with the code of the test. Inputs are those of action.yml, as JSON in HOLDFAST_INPUTS.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { publishComment } from './comment.mjs';

const { env } = process;
const inputs = JSON.parse(env.HOLDFAST_INPUTS ?? '{}');
const reports = env.HOLDFAST_REPORTS ?? 'holdfast-reports';
const isDuet = inputs.duet === 'true';
const isGitHub = env.GITHUB_ACTIONS === 'true';

const OUTCOMES = new Map([
  [0, 'passed'],
  [2, 'invalid'],
  [94, 'worse'],
  [97, 'stopped'],
  [98, 'inconclusive'],
  [99, 'failed'],
]);

mkdirSync(reports, { recursive: true });
const startedAt = new Date().toISOString();
const baseline = await chooseBaseline();
const code = await runTest();
const runId = code === 2 ? null : await findResult();
if (runId !== null) {
  await saveReports();
  if (isDefaultBranch() && inputs.baseline === 'branch') await holdfast(['baseline', runId]);
}
await finish();

/** Returns the command-line arguments that compare the test with its baseline. */
async function chooseBaseline() {
  if (!inputs.baseline) return [];
  if (inputs.baseline !== 'branch') return ['--baseline', inputs.baseline];
  if (isDefaultBranch()) return [];
  const { output } = await holdfast(['baseline'], { isShown: false });
  if (!output.startsWith('No baselines')) return ['--baseline', 'preset'];
  console.log('The default branch has no runs of this plan yet: this test is compared with nothing.');
  return [];
}

async function runTest() {
  const allowed = listLines(inputs.allow).flatMap((line) => ['--allow', line]);
  if (isDuet) return (await holdfast(['series', inputs.plan, '--duet', ...allowed, '--tolerance', String(inputs.tolerance || 5)])).code;
  const options = [
    ...listLines(inputs.set).flatMap((line) => ['--set', line]),
    ...allowed,
    ...(Number(inputs.repeats) > 1 ? ['--repeats', String(inputs.repeats)] : []),
    ...baseline,
    ...(baseline.length > 0 ? ['--tolerance', String(inputs.tolerance || 5)] : []),
  ];
  return (await holdfast(['run', inputs.plan, ...options])).code;
}

/** Returns the id of the run, also of a duet, or of the series of its repeats; null if nothing was measured. */
async function findResult() {
  const { output } = await holdfast(['runs', '--json'], { isShown: false });
  const [newest] = JSON.parse(output || '{"runs":[]}').runs;
  if (newest === undefined || newest.startedAt < startedAt) return null;
  return isDuet ? newest.id : (newest.series?.id ?? newest.id);
}

async function saveReports() {
  const files = { html: 'report.html', json: 'result.json', junit: 'junit.xml', md: 'report.md' };
  await holdfast(['report', runId, ...Object.entries(files).flatMap(([kind, file]) => [`--${kind}`, join(reports, file)])]);
}

/** Publishes the result, and sets the outputs and the exit code. */
async function finish() {
  const outcome = OUTCOMES.get(code) ?? 'error';
  if (runId !== null) {
    const comment = await formatComment();
    if (isGitHub) {
      appendFileSync(env.GITHUB_STEP_SUMMARY, comment.output);
      process.stdout.write(
        (await holdfast(['report', runId, '--format', 'annotations', '--plan', inputs.plan], { isShown: false })).output,
      );
    }
    if (inputs.comment !== 'false') console.log(await publishComment(comment.output, inputs.plan, env));
  }
  if (isGitHub && outcome === 'worse')
    console.log(`::error::The load test is worse than ${isDuet ? 'the other variant' : 'its baseline'}.`);
  const isWarning = outcome === 'inconclusive' && inputs.inconclusive !== 'fail';
  if (isWarning) console.log(`${isGitHub ? '::warning::' : ''}The load test was inconclusive.`);
  if (isGitHub) appendFileSync(env.GITHUB_OUTPUT, `outcome=${outcome}\nexit-code=${code}\n`);
  process.exitCode = isWarning ? 0 : code;
}

/** Formats the comment. If the baseline cannot be read, the comparison is left out. */
async function formatComment() {
  const options = ['report', runId, '--format', 'comment', '--link', reportAddress(), '--tolerance', String(inputs.tolerance || 5)];
  const compared = await holdfast([...options, ...baseline], { isShown: false });
  if (compared.code === 0) return compared;
  console.log('The comment has no comparison, because the baseline cannot be read.');
  return holdfast(options, { isShown: false });
}

function reportAddress() {
  return isGitHub
    ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}#artifacts`
    : `${env.CI_JOB_URL}/artifacts/browse`;
}

function isDefaultBranch() {
  return isGitHub ? env.GITHUB_REF_NAME === env.HOLDFAST_DEFAULT_BRANCH : env.CI_COMMIT_REF_NAME === env.CI_DEFAULT_BRANCH;
}

function listLines(text = '') {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Runs the command line of Holdfast without the token in its environment. Output that is shown may contain texts from a server, which must
 * not become workflow commands.
 */
async function holdfast(args, { isShown = true } = {}) {
  const { HOLDFAST_TOKEN: _, HOLDFAST_INPUTS: __, ...childEnvironment } = env;
  const program = env.HOLDFAST_BIN ?? join(env.HOLDFAST_PROGRAM, 'node_modules', 'holdfast', 'tools', 'launch', 'bin.mjs');
  const pause = randomBytes(16).toString('hex');
  if (isShown && isGitHub) console.log(`::stop-commands::${pause}`);
  const child = spawn(process.execPath, [program, ...args], {
    env: childEnvironment,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', (status) => resolve(status ?? 1)));
  if (isShown && isGitHub) console.log(`::${pause}::`);
  return { code, output };
}
