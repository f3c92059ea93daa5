import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The folder for what can be fetched again, after each platform's custom; the launcher keeps its Node in the same one.
 * `XDG_CACHE_HOME` counts everywhere.
 */
export function cacheDirectoryFor(environment: NodeJS.ProcessEnv, platform = process.platform, home = homedir()): string {
  const { XDG_CACHE_HOME: moved, LOCALAPPDATA: local } = environment;
  if (moved !== undefined && isAbsolute(moved)) return join(moved, 'holdfast');
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Caches', 'holdfast');
    case 'win32':
      return join(local ?? join(home, 'AppData', 'Local'), 'holdfast', 'cache');
    default:
      return join(home, '.cache', 'holdfast');
  }
}
