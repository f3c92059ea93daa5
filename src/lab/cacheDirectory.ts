import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the platform's cache directory, in which the launcher also keeps Node. `XDG_CACHE_HOME` takes precedence on every platform. */
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
