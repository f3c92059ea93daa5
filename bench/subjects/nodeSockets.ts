import { ourScript, readOurs } from './ourScript.ts';
import type { Subject } from './subject.ts';

/** Node's sockets with hardly any code around them: more than this no generator on Node can send. */
export const nodeSockets: Subject = {
  id: 'node-sockets',
  origin: ourScript('plainSockets.ts'),
  version: () => Promise.resolve(process.versions.node),
  closed: ({ url, connections, seconds }) => ({ parameters: [url, String(connections), String(seconds)] }),
  read: readOurs,
};
