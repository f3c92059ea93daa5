import { benchScript, readBenchScript } from './ourScript.ts';
import type { Invocation, StreamsLoad, Subject } from './subject.ts';

/** Node's sockets with minimal code. No generator on Node can be faster. */
export const nodeSockets: Subject = {
  id: 'node-sockets',
  origin: benchScript('nodeSockets.ts'),
  version: () => Promise.resolve(process.versions.node),
  closed: (load) => readParameters({ ...load, streams: 0 }),
  http2: readParameters,
  read: readBenchScript,
};

function readParameters({ url, connections, streams, seconds }: StreamsLoad): Invocation {
  return { parameters: [url, ...[connections, streams, seconds].map(String)] };
}
