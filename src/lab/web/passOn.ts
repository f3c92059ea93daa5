import { request as open, type IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';

/** Forwards requests to another server like a proxy, without buffering. A client that leaves ends the connection to that server. */
export function passOn(url: string): RequestHandler {
  const { hostname, port } = new URL(url);
  return (request, response) => {
    const { method, originalUrl: path } = request;
    const onward = open({ hostname, port, agent: false, method, path, headers: endToEnd(request.headers) }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      response.flushHeaders();
      answer.pipe(response);
      // An aborted upstream response aborts the response.
      answer.once('error', () => response.destroy());
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.status(502).end()));
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  };
}

/** Removes hop-by-hop headers. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...others } = headers;
  return others;
}
