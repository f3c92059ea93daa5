import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureElectron } from './electron.mjs';
import { run, print } from './run.mjs';

/** Minimum time in ms that the desktop app must run. If it ends earlier, it counts as not opened. */
const minOpenMs = 15_000;

/** Returns the reason why no window can be opened here, or undefined. */
export function whyNoWindow({ environment, platform, userId }) {
  if (environment.HOLDFAST_WEB) return 'HOLDFAST_WEB is set';
  if (platform !== 'linux') return undefined;
  if (!environment.DISPLAY && !environment.WAYLAND_DISPLAY) return 'there is no display';
  // Chromium does not run as root with its sandbox, and Holdfast does not run Chromium without it.
  if (userId === 0) return 'the desktop app does not run as root';
  return undefined;
}

/** Builds the app if necessary, and opens the desktop app. If that is impossible, serves the same app to a browser. */
export async function start({ root, node, environment, args }) {
  await ensureBuild(root, { node, environment });
  const reason = whyNoWindow({ environment, platform: process.platform, userId: process.getuid?.() });
  const why = reason ?? (await openDesktop({ root, node, environment, args }));
  if (why === undefined) return 0;
  print(`${why}, so the app is served to your browser instead`);
  return run(node, [path.join(root, 'dist', 'node', 'cli.mjs'), 'serve', ...args], { cwd: root, env: environment });
}

/** Opens the desktop app. Returns undefined after it was closed, or the reason why it did not open. */
async function openDesktop({ root, node, environment, args }) {
  const electron = await ensureElectron({ root, node, environment });
  if (electron.reason) return electron.reason;
  print('opening the desktop app');
  const before = Date.now();
  // Terminals in editors may set this variable, which makes Electron behave like plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...clean } = environment;
  const code = await run(electron.file, [path.join(root, 'electron', 'app'), ...args], { cwd: root, env: clean }).catch(() => 127);
  if (code !== 0 && Date.now() - before < minOpenMs) return `the desktop app did not start (status ${code})`;
  return undefined;
}
