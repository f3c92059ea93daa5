import type { RequestHandler } from 'express';
import { request as open, type IncomingHttpHeaders } from 'node:http';
import type { ServerOptions } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { AccessLog } from '../accessLog.ts';
import { Breaks } from '../breaks.ts';
import { type FaultSettings, makeFaults } from '../faults.ts';
import { listen } from '../listen.ts';
import type { Part } from '../supervisor/part.ts';

/** The last error handler. 4xx errors of the request keep their status; all others become 500, without a stack trace. */
export const handleFailure: ErrorRequestHandler = (failure: unknown, _request, response, next) => {
  if (response.headersSent) return next(failure);
  const status = hasStatus(failure) && failure.status >= 400 && failure.status < 500 ? failure.status : 500;
  response
    .status(status)
    .type('text/plain')
    .send(status === 500 ? 'The practice server failed.' : 'The request cannot be understood.');
};

function hasStatus(failure: unknown): failure is { status: number } {
  return typeof failure === 'object' && failure !== null && 'status' in failure && typeof failure.status === 'number';
}

export interface WebServerSettings {
  /** Name of the server in the log. */
  readonly name: string;
  readonly log: string;
  readonly faults?: FaultSettings;
  readonly port?: number | null;
  /** Options of Node's server. */
  readonly http?: ServerOptions;
}

/**
 * Starts one of Holdfast's own servers with its access log and faults. `addRoutes` adds the server's routes and returns the server's
 * commands. Resolves when the server accepts connections.
 */
export async function startWebServer(
  { name, log: file, faults: wanted, port = null, http = {} }: WebServerSettings,
  addRoutes: (app: Express, breaks: Breaks) => Pick<Part, 'commands'> & { close?: () => Promise<void> },
): Promise<Part> {
  const log = await AccessLog.open(file);
  const faults = wanted ? await makeFaults(wanted) : null;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((request, response, next) => {
    log.watch(request, response, name);
    next();
  });
  if (faults) app.use(faults.handler);
  const { commands = {}, close } = addRoutes(app, faults?.breaks ?? new Breaks(null));
  app.use(handleFailure);
  const listening = await listen(app, port, http);
  return {
    facts: { url: listening.url },
    commands,
    async close() {
      await listening.close();
      await close?.();
      await faults?.close();
      await log.close();
    },
  };
}

/** Forwards requests to another server like a proxy, without buffering. If the client leaves, the connection to the other server ends. */
export function forwardTo(url: string): RequestHandler {
  const { hostname, port } = new URL(url);
  return (request, response) => {
    const { method, originalUrl: path } = request;
    const onward = open({ hostname, port, agent: false, method, path, headers: endToEndHeaders(request.headers) }, (receivedRequest) => {
      response.writeHead(receivedRequest.statusCode ?? 502, endToEndHeaders(receivedRequest.headers));
      response.flushHeaders();
      receivedRequest.pipe(response);
      // If the upstream response is aborted, the response to the client is aborted too.
      receivedRequest.once('error', () => response.destroy());
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.status(502).end()));
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  };
}

/** Returns the headers without hop-by-hop headers. */
function endToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...others } = headers;
  return others;
}
