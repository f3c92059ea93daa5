import { createRequire } from 'node:module';
import { z } from 'zod';
import { benchScript, readBenchScript } from './ourScript.ts';
import type { Subject } from './subject.ts';

const packageSchema = z.object({ version: z.string() });

/** Node's own client library, as a closed loop on a pool of connections. */
export const undici: Subject = {
  id: 'undici',
  origin: benchScript('undiciPool.ts'),
  version: () => Promise.resolve(packageSchema.parse(createRequire(import.meta.url)('undici/package.json')).version),
  closed: ({ url, connections, seconds }) => ({ parameters: [url, String(connections), String(seconds)] }),
  read: readBenchScript,
};
