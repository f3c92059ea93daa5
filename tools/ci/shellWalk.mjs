// Tests the built desktop shell in a real but old version of Electron, with a tool whose path is in HOLDFAST_SHELL_WALK_TOOL. The
// assertions of the browser test must pass. If the old Electron cannot be downloaded, that is reported and ignored.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { environmentFor, findNode } from '../launch/node.mjs';
import { print } from '../launch/run.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
/** Program that starts Electron with `--main`, runs the test given by `--check` in its window, and saves a picture as `--shot`. */
const tool = process.env['HOLDFAST_SHELL_WALK_TOOL'] ?? '';
/** Maximum duration in ms, including the download of the old Electron. */
const maxMs = 6 * 60_000;
/** First line that Electron prints. Later failures occur within the 90 s that the tool waits. */
const started = 'DevTools listening on';
const startedLimitMs = 100_000;
/** First line that the test prints. Before it, only downloads and the window can have failed. */
const begun = 'walk: the window is there';

if (tool === '') {
  print(
    'The walk through the desktop shell was skipped: HOLDFAST_SHELL_WALK_TOOL is not set. It has to name the tool that starts Electron.',
  );
} else if (!existsSync(tool)) {
  print(`The walk through the desktop shell was not run: HOLDFAST_SHELL_WALK_TOOL names ${tool}, which does not exist.`);
  process.exitCode = 1;
} else {
  const node = await findNode();
  await mkdir(path.join(root, 'e2e', 'artifacts'), { recursive: true });
  const shot = path.join(root, 'e2e', 'artifacts', 'shell.png');
  const args = [
    tool,
    '--main',
    'dist/electron/main.cjs',
    '--shot',
    shot,
    '--check',
    path.join(root, 'tools', 'ci', 'walk.mjs'),
    '--seconds',
    '90',
    '--verbose',
  ];
  let { code, output, hung } = await walk(node, args);
  // The test is repeated, because the tool waits for the page without a time limit and has hung once.
  for (let again = 0; again < 2 && hung; again += 1) {
    print('the walk through the desktop shell hung, and begins again');
    ({ code, output, hung } = await walk(node, args));
  }
  process.stdout.write(output);
  if (code === 0) print(`the walk through the desktop shell passed (screenshot in ${path.relative(root, shot)})`);
  else if (couldNotDownload(output)) print('the walk through the desktop shell is left out: the old Electron could not be downloaded');
  else {
    print(output.includes(begun) ? 'the walk through the desktop shell failed' : 'the window of the desktop shell did not come up');
    process.exitCode = 1;
  }
}

/** Returns whether a download failed. Before the window opens, only pip, npm and apt run, and each leaves its command in the error. */
function couldNotDownload(output) {
  return /Command failed: (python3 -m pip download|npm i |sh -c apt-get)|Could not find a version|No matching distribution|npm error/.test(
    output,
  );
}

function walk(node, args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd: root, env: environmentFor(node), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let hung = false;
    // The process is ended, because an open dialog would block the test forever.
    const end = () => {
      hung = output.includes(started);
      process.kill(-child.pid, 'SIGKILL');
    };
    let timer = setTimeout(end, maxMs);
    const take = (text) => {
      const isStart = !output.includes(started) && `${output}${text}`.includes(started);
      output += text;
      if (!isStart) return;
      clearTimeout(timer);
      timer = setTimeout(end, startedLimitMs);
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', take);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output, hung });
    });
  });
}
