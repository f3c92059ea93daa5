import { request as open, type IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';

/** Passes requests on to another server, as a proxy does: what comes is written at once, and who leaves ends the connection behind, which nobody else uses. */
export function passOn(url: string): RequestHandler {
  const { hostname, port } = new URL(url);
  return (request, response) => {
    const { method, originalUrl: path } = request;
    const onward = open({ hostname, port, agent: false, method, path, headers: endToEnd(request.headers) }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      response.flushHeaders();
      answer.pipe(response);
      // One that is cut behind is cut before.
      answer.once('error', () => response.destroy());
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.status(502).end()));
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  };
}

/** Without what is about one connection only. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...others } = headers;
  return others;
}
