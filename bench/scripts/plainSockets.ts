import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** How many connections; and how many streams of HTTP/2 on each, 0 for HTTP/1.1. */
export interface Wanted {
  readonly url: URL;
  readonly connections: number;
  readonly streams: number;
}

export interface Opened {
  readonly counts: { readonly answers: number; readonly others: number };
  readonly sockets: readonly Socket[];
}

/**
 * Requests over HTTP/1.1 as quickly as sockets of Node allow: they are written and what comes is counted, a read for an answer, without looking at more of it than its status.
 * Only for answers that come in one read.
 */
export function openSockets({ url, connections }: Wanted): Opened {
  const { protocol, hostname, port, host, pathname } = url;
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1');
  const status = Buffer.from('HTTP/1.1 2', 'latin1');
  const buffer = Buffer.allocUnsafe(65_536);
  const counts = { answers: 0, others: 0 };
  let due: Socket[] = [];

  /** As the driver does: all that has come is read first, then everyone goes on. */
  function goOn(): void {
    const now = due;
    due = [];
    for (const socket of now) socket.write(request);
  }

  function open(): Socket {
    const callback = (length: number): boolean => {
      if (buffer.compare(status, 0, status.length, 0, Math.min(length, status.length)) === 0) counts.answers += 1;
      else counts.others += 1;
      if (due.push(socket) === 1) setImmediate(goOn);
      return true;
    };
    const options = { host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } };
    const begin = (): void => void socket.write(request);
    const socket = protocol === 'https:' ? connectSecurely({ ...options, rejectUnauthorized: false }, begin) : connect(options, begin);
    return socket;
  }

  return { counts, sockets: Array.from({ length: connections }, open) };
}
