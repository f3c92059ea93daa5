import os from 'node:os';
import path from 'node:path';

/** Returns the platform's cache folder. `XDG_CACHE_HOME` works on every platform, because tests and containers rely on it. */
export function cacheDirectory(environment = process.env, platform = process.platform, home = os.homedir()) {
  const { XDG_CACHE_HOME: moved, LOCALAPPDATA: local } = environment;
  if (moved && path.isAbsolute(moved)) return path.join(moved, 'holdfast');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'holdfast');
  if (platform === 'win32') return path.join(local || path.join(home, 'AppData', 'Local'), 'holdfast', 'cache');
  return path.join(home, '.cache', 'holdfast');
}
