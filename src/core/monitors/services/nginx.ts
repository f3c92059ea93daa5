import type { ServiceReading } from './reading.ts';

const STATUS =
  /^Active connections: (\d+)\s+server accepts handled requests\s+(\d+) (\d+) (\d+)\s+Reading: (\d+) Writing: (\d+) Waiting: (\d+)\s*$/;

/**
 * What nginx's `stub_status` answers. `mostConnections` is worker_processes × worker_connections, which it does not tell; the
 * connections to the servers behind count towards it as well. null when this is something else.
 */
export function parseNginxStatus(text: string, mostConnections: number | null = null): ServiceReading | null {
  const found = STATUS.exec(text.trim())?.slice(1).map(Number);
  if (found === undefined) return null;
  const [connections = 0, accepts = 0, handled = 0, requests = 0, reading = 0, writing = 0, waiting = 0] = found;
  return {
    gauges: { connections, reading, writing, waiting },
    // Accepted and not handled: worker_connections had run out.
    counters: { accepts, dropped: accepts - handled, requests },
    limits: mostConnections === null ? {} : { connections: mostConnections },
  };
}
