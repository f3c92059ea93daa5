import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { HoldfastError } from '#core/base/errors.ts';
import { portProblem } from '#core/base/origins.ts';

export interface Listening {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

/** The highest port number. */
export const LAST_PORT = 65_535;

/** Serves HTTP on 127.0.0.1. Resolves when connections are accepted. Throws `PORT_IN_USE` or `LISTEN_FAILED`. */
export function listen(handler: RequestListener, port: number | null, options: ServerOptions = {}): Promise<Listening> {
  if (port !== null && port > LAST_PORT) return Promise.reject(beyondLastPortError(port));
  const server = createServer(options, handler);
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(cause, port)));
    server.listen({ host: '127.0.0.1', port: port ?? 0, backlog: 1_024 }, () => {
      const address = server.address();
      const boundPort = typeof address === 'object' && address !== null ? address.port : port;
      resolve({
        url: `http://127.0.0.1:${boundPort}/`,
        server,
        close: () =>
          new Promise<void>((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

export function beyondLastPortError(port: number): HoldfastError {
  return new HoldfastError({
    code: 'LISTEN_FAILED',
    message: portProblem(port),
    hint: `Ports go up to ${LAST_PORT.toLocaleString('en')}. Choose a lower first port or fewer shards.`,
  });
}

/** Returns an error that explains why listening failed. */
export function listenError(cause: NodeJS.ErrnoException, port: number | null): HoldfastError {
  if (cause.code === 'EADDRINUSE') return portInUse(port, cause);
  return new HoldfastError(
    {
      code: 'LISTEN_FAILED',
      message: `The practice server cannot listen on ${port === null ? 'a free port' : `port ${port}`} of 127.0.0.1: ${cause.message}`,
      hint: 'Ports below 1,024 need special rights. Choose another port, or none to get a free one.',
    },
    { cause },
  );
}

/** Returns the error `PORT_IN_USE` for all code that detects a port in use. */
export function portInUse(port: number | null, cause?: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'PORT_IN_USE',
      message: `Port ${port} of 127.0.0.1 is in use.`,
      hint: 'Probably an earlier practice server listens there. Stop it, choose another port, or none to get a free one.',
    },
    { cause },
  );
}
