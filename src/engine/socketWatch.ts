import { readFile } from 'node:fs/promises';
import { parseSocketsInUse, parseSocketStates } from './procFiles.ts';

const EVERY_SECONDS = 10;
const MOST_LISTED_SOCKETS = 5_000;

/**
 * TCP sockets of this machine by state. Listing them keeps the kernel busy for milliseconds however few they are, since it walks through its
 * whole table: so it is done now and then, beside the event loop, and not while there are very many.
 */
export class SocketWatch {
  private known: Record<string, number> | null = null;
  private nextSecond = 0;

  /** What was found last, at most some seconds ago; null where it is not known. */
  read(second: number): Record<string, number> | null {
    if (second >= this.nextSecond) {
      this.nextSecond = second + EVERY_SECONDS;
      void this.refresh();
    }
    return this.known;
  }

  private async refresh(): Promise<void> {
    try {
      const inUse = parseSocketsInUse(await readFile('/proc/net/sockstat', 'utf8'));
      const few = inUse !== null && inUse <= MOST_LISTED_SOCKETS;
      // A machine may be without IPv6.
      const overIpv6 = few ? await readFile('/proc/net/tcp6', 'utf8').catch(() => '') : '';
      this.known = few ? parseSocketStates([await readFile('/proc/net/tcp', 'utf8'), overIpv6]) : null;
    } catch {
      // Another system, or no descriptor left.
      this.known = null;
    }
  }
}
