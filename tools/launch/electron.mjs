import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheDirectory } from './node.mjs';
import { capture, print } from './run.mjs';

const dayMs = 24 * 3_600_000;
const downloadLimitMs = 5 * 60_000;

/** Returns the executable of Electron as `{ file }`, or `{ reason }` if there is none. Downloads nothing. */
export async function findElectron({ root, environment = process.env, platform = process.platform }) {
  const { ELECTRON_OVERRIDE_DIST_PATH: elsewhere } = environment;
  const home = path.join(root, 'node_modules', 'electron');
  const usual = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[platform] ?? 'electron';
  const file = path.join(elsewhere || path.join(home, 'dist'), usual);
  if (existsSync(file)) return { file };
  if (elsewhere) return { reason: `there is no Electron in ELECTRON_OVERRIDE_DIST_PATH (${elsewhere})` };
  return { reason: "Electron's binary is not installed" };
}

/** Works like {@link findElectron}, but downloads Electron once. A failed download is not repeated for a day. */
export async function ensureElectron({ root, node, environment = process.env, cache = cacheDirectory(environment), now = Date.now() }) {
  const found = await findElectron({ root, environment });
  if (found.file || environment.ELECTRON_OVERRIDE_DIST_PATH) return found;
  const home = path.join(root, 'node_modules', 'electron');
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'));
  const memory = path.join(cache, `electron-${version}-unreachable`);
  const failedAt = await stat(memory).then(
    (file) => file.mtimeMs,
    () => 0,
  );
  const reason = "Electron's binary could not be downloaded";
  if (now - failedAt < dayMs) return { reason: `${reason} (next try tomorrow, or now with \`npx install-electron\`)` };

  print(`downloading Electron ${version} once (about 110 MB)`);
  const { code, output } = await capture(node, [path.join(home, 'install.js')], {
    cwd: root,
    env: environment,
    timeoutMs: downloadLimitMs,
  });
  const now2 = await findElectron({ root, environment });
  if (code === 0 && now2.file) return now2;
  await mkdir(cache, { recursive: true });
  await writeFile(memory, output);
  return { reason };
}
