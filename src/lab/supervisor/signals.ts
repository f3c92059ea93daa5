const POLL_MS = 20;

/** Sends a signal to a process group. Returns whether any process received it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no process groups: only the process itself is ended.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch (thrown) {
    // EPERM: the process exists and has dropped our rights.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Resolves when the group has ended, or after `maxMs`; true if it has ended. */
export async function groupEnded(pid: number, maxMs: number): Promise<boolean> {
  const until = Date.now() + maxMs;
  while (signalGroup(pid, 0)) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
