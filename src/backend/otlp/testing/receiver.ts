import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type DecodedExport, type DecodedPoint, decodeMetrics } from './decodeMetrics.ts';

export interface Receiver {
  /** Base address for `--otlp`. */
  readonly url: URL;
  readonly exports: readonly DecodedExport[];
  readonly paths: readonly string[];
  /** Returns the points of a metric in the last export. */
  lastPoints(metric: string): readonly DecodedPoint[];
  close(): Promise<void>;
}

/** Starts an OTLP receiver on 127.0.0.1 that decodes what it gets. `respond` replaces its response. */
export async function startReceiver(respond: (response: ServerResponse, request: IncomingMessage) => void = accept): Promise<Receiver> {
  const exports: DecodedExport[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    buffer(request).then(
      (body) => {
        paths.push(request.url ?? '');
        exports.push(decodeMetrics(body));
        respond(response, request);
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: new URL(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1/metrics`),
    exports,
    paths,
    lastPoints: (metric) => exports.at(-1)?.metrics.get(metric)?.points ?? [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function accept(response: ServerResponse): void {
  response.setHeader('Content-Type', 'application/x-protobuf').end();
}
