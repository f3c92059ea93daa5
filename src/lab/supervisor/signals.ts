const POLL_MS = 20;

/** Sends a signal to a process and all that it started in its group. True when there was anybody to get it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows knows no groups: there the process alone is ended.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch (thrown) {
    // EPERM: somebody is there who has given up the rights that we have.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Resolves when nobody of the group is left, or after `limitMs`; true when nobody is. */
export async function groupEnded(pid: number, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (signalGroup(pid, 0)) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
