import { z } from 'zod';
import type { Part } from '../supervisor/part.ts';
import { forward, type Forward } from './forward.ts';

/** A port behind the line, and the Unix sockets at both of its ends, outside this network. */
const settingsSchema = z.object({
  ports: z.array(z.object({ port: z.int(), entry: z.string(), exit: z.string() })),
});

/**
 * Starts the line in its own network namespace: data from `entry` passes the loopback to `port`, and on to `exit`. Programs in this network
 * connect to `port` directly.
 */
export async function startLink(given: unknown): Promise<Part> {
  const { ports } = settingsSchema.parse(given);
  const forwards: Forward[] = [];
  for (const { port, entry, exit } of ports) {
    forwards.push(await forward({ host: '127.0.0.1', port }, { path: exit }));
    forwards.push(await forward({ path: entry }, { host: '127.0.0.1', port }));
  }
  return {
    facts: { ports: ports.length },
    async close() {
      await Promise.all(forwards.map((one) => one.close()));
    },
  };
}
