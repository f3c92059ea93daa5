import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns the ids of all descendants of a process, except for `ps` itself. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const listing = promisify(execFile)('ps', ['-axo', 'pid=,ppid=']);
  const { stdout } = await listing;
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([process]) => process !== listing.child.pid);
  const found: number[] = [];
  const collect = (parent: number): void => {
    for (const [process = 0, itsParent] of rows)
      if (itsParent === parent) {
        found.push(process);
        collect(process);
      }
  };
  collect(pid);
  return found;
}

/** Returns the ids of those processes that are still alive. */
export function filterAlive(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
}
