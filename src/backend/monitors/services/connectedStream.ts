import type { Duplex } from 'node:stream';

/** A stream that stands already, for clients of databases that expect a socket of TCP which they connect themselves. */
export function connectedStream(stream: Duplex): Duplex {
  const itself = (): Duplex => stream;
  return Object.assign(stream, {
    connect(): Duplex {
      setImmediate(() => stream.emit('connect'));
      return stream;
    },
    setNoDelay: itself,
    setKeepAlive: itself,
    setTimeout: itself,
    ref: itself,
    unref: itself,
  });
}
