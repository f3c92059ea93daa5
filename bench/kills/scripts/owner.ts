import { startBackend } from '#backend/index.ts';
import { agreeToEverything } from '#backend/testing/agreeing.ts';
import { backendFiles, entriesFor } from '#cli/entries.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { startServer } from '#server/startServer.ts';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/*
 * Runs a backend, as web mode and the desktop app do. The backend starts a run, here or on a host, and does not exit. Prints `ended STATE`
 * when the run has ended. Ends with standard input.
 */

const settingsSchema = z.strictObject({
  plan: z.unknown(),
  /** An SSH server with its key and files; null if the load is local. */
  host: z.strictObject({ port: z.int(), keyPath: z.string(), home: z.string(), knownHosts: z.string() }).nullable(),
});
const { plan, host } = settingsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const backend = await startBackend({
  dataDirectory: process.env['HOLDFAST_HOME'] ?? '',
  ...backendFiles(entriesFor(new URL('../../../dist/node/cli.mjs', import.meta.url).href)),
  version: 'bench',
  ...(host === null ? {} : { ssh: { home: host.home, agentSocket: null, userName: 'root', systemKnownHosts: host.knownHosts } }),
});
const server = await startServer({ uiDirectory: fileURLToPath(new URL('../../../dist/ui', import.meta.url)) });
await server.serve(backend);
process.stdin.on('end', () => process.exit(0)).resume();
const client = agreeToEverything(backend.client());
if (host !== null)
  await client.call('hosts.add', { host: { name: 'there', address: '127.0.0.1', port: host.port, keyPath: host.keyPath } });
const { runId } = await client.call('runs.start', { plan: planSchema.parse(plan), ...(host === null ? {} : { on: ['there'] }) });
client.open(
  'runs.watch',
  { runId },
  { onItem: () => {}, onEnd: () => void client.call('runs.result', { runId }).then(({ run }) => console.log(`ended ${run.state}`)) },
);
