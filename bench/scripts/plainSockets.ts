import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Number of connections, and number of HTTP/2 streams on each connection. 0 streams means HTTP/1.1. */
export interface SocketSettings {
  readonly url: URL;
  readonly connections: number;
  readonly streams: number;
}

export interface Opened {
  readonly counts: { readonly responses: number; readonly others: number };
  readonly sockets: readonly Socket[];
}

/**
 * Sends requests over HTTP/1.1 as fast as Node's sockets allow. Only the status is checked, and one response is counted per read, so each
 * response must arrive in a single read.
 */
export function openSockets({ url, connections }: SocketSettings): Opened {
  const { protocol, hostname, port, host, pathname } = url;
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1');
  const status = Buffer.from('HTTP/1.1 2', 'latin1');
  const buffer = Buffer.allocUnsafe(65_536);
  const counts = { responses: 0, others: 0 };
  let due: Socket[] = [];

  /** Sends the due requests. This happens after everything that has arrived was read, as in the driver. */
  function sendDue(): void {
    const now = due;
    due = [];
    for (const socket of now) socket.write(request);
  }

  function open(): Socket {
    const callback = (length: number): boolean => {
      if (buffer.compare(status, 0, status.length, 0, Math.min(length, status.length)) === 0) counts.responses += 1;
      else counts.others += 1;
      if (due.push(socket) === 1) setImmediate(sendDue);
      return true;
    };
    const options = { host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } };
    const begin = (): void => void socket.write(request);
    const socket = protocol === 'https:' ? connectSecurely({ ...options, rejectUnauthorized: false }, begin) : connect(options, begin);
    return socket;
  }

  return { counts, sockets: Array.from({ length: connections }, open) };
}
