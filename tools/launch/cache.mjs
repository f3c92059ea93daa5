import os from 'node:os';
import path from 'node:path';

/**
 * The folder for what can be fetched again, after each platform's custom. `XDG_CACHE_HOME` counts everywhere, because it is
 * the one way to move it that tests and containers can rely on.
 */
export function cacheDirectory(environment = process.env, platform = process.platform, home = os.homedir()) {
  const { XDG_CACHE_HOME: moved, LOCALAPPDATA: local } = environment;
  if (moved && path.isAbsolute(moved)) return path.join(moved, 'holdfast');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'holdfast');
  if (platform === 'win32') return path.join(local || path.join(home, 'AppData', 'Local'), 'holdfast', 'cache');
  return path.join(home, '.cache', 'holdfast');
}
