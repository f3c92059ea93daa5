import { performance } from 'node:perf_hooks';
import type { IdleReading } from '#core/search/characterize/reading.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { openSocket, type TargetConnection } from '../targets/targetConnection.ts';

/** Maximum wait for the beginning of a response. */
const MAX_RESPONSE_MS = 60_000;
const MAX_HEAD_LENGTH = 16_384;

/**
 * Sends one request over a connection and measures after what idle time the server closes it. Sends the target's headers without secrets.
 * Never throws; errors are in `problem`.
 */
export function watchIdle(plan: Plan, connection: TargetConnection, seconds: number, signal: AbortSignal): Promise<IdleReading> {
  const { connections, targets, journey } = plan;
  const url = new URL(journey[0]?.path ?? '', targets[0]?.url);
  return new Promise((resolve) => {
    const { socket, readyEvent } = openSocket(url, connections, connection);
    let head = '';
    let lastByteMs: number | null = null;
    let timer: NodeJS.Timeout | undefined;
    const settle = (isClosed: boolean, problem: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      const idle = lastByteMs === null ? 0 : (performance.now() - lastByteMs) / 1_000;
      resolve({ kind: 'idle', closedAfterSeconds: isClosed ? idle : null, watchedSeconds: idle, ...statedIn(head), problem });
    };
    const wait = (milliseconds: number, then: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(then, milliseconds);
    };
    const onAbort = (): void => settle(false, 'It was stopped.');
    signal.addEventListener('abort', onAbort);
    wait(MAX_RESPONSE_MS, () => settle(false, 'No response in time.'));
    socket.once(readyEvent, () => socket.write(requestText(plan, url)));
    socket.on('data', (data: Buffer) => {
      if (head.length < MAX_HEAD_LENGTH) head += data.toString('latin1');
      lastByteMs = performance.now();
      wait(seconds * 1_000, () => settle(false, null));
    });
    socket.once('close', () => (lastByteMs === null ? settle(false, 'The connection was closed without a response.') : settle(true, null)));
    socket.on('error', (error) => (lastByteMs === null ? settle(false, error.message) : settle(true, null)));
    if (signal.aborted) onAbort();
  });
}

function requestText({ targets, journey }: Plan, url: URL): string {
  const headers = { ...targets[0]?.headers, ...journey[0]?.headers };
  const plain = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [`${name}: ${value}`] : []));
  const lines = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, 'Connection: keep-alive', ...plain];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Reads the header Keep-Alive (RFC 9112 leaves it to servers; Node, Apache and others send `timeout=5, max=100`). */
function statedIn(text: string): Pick<IdleReading, 'statedSeconds' | 'statedRequests'> {
  const value = /^keep-alive:(.*)$/im.exec(text.split('\r\n\r\n')[0] ?? '')?.[1] ?? '';
  const number = (name: string): number | null => {
    const found = new RegExp(`${name}\\s*=\\s*(\\d+)`, 'i').exec(value)?.[1];
    return found === undefined ? null : Number(found);
  };
  return { statedSeconds: number('timeout'), statedRequests: number('max') };
}
