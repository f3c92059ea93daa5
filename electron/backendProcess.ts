// The backend inside Electron's utility process. It is built to dist/node/backendProcess.mjs, next to the other entry files.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { serve } from '#contract/rpc/server.ts';
import { defaultDataDirectory, startBackend } from '#backend/index.ts';
import { toBackendSchema, type FromBackend, type Relayed } from './messages.ts';
import { trackOwnRuns } from './ownRuns.ts';
import { connections } from './parentPort.ts';

const urlBeside = (path: string): URL => new URL(path, import.meta.url);
const post = (message: FromBackend): void => process.parentPort.postMessage(message);

async function main(): Promise<void> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(urlBeside('../../package.json'), 'utf8')));
  const [program, ...args] = process.argv.slice(2);
  const backend = await startBackend({
    dataDirectory: defaultDataDirectory(),
    workerEntry: urlBeside('./loadWorker.mjs'),
    resultEntry: urlBeside('./resultThread.mjs'),
    labEntry: urlBeside('./lab.mjs'),
    selfTestEntry: urlBeside('./selftest.mjs'),
    agentFile: urlBeside('../agent/holdfast-agent.mjs'),
    presetsDirectory: fileURLToPath(urlBeside('./presets')),
    version,
    ownWindow: program === undefined ? undefined : { program, args },
  });
  const ownRuns = trackOwnRuns(backend.handlers, (count) => post({ type: 'running', count }));
  const take = connections(
    (port) => serve(port, ownRuns.handlers),
    (relayed: Relayed) => post(relayed),
  );
  process.parentPort.on('message', ({ data }: { data: unknown }) => {
    const message = toBackendSchema.safeParse(data);
    if (!message.success) return;
    if (message.data.type === 'frame') take(message.data);
    else void backend.close().finally(() => process.exit(0));
  });
  backend.client().open('runs.active', {}, { onItem: ({ runs }) => ownRuns.update(runs), onEnd: () => {} });
  post({ type: 'ready' });
}

main().catch((thrown: unknown) => {
  // A HoldfastError would occur again after a restart, but any other error may be temporary.
  if (thrown instanceof HoldfastError) post({ type: 'failed', problem: toProblem(thrown) });
  else process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  // The delay lets the message arrive before the process ends.
  setTimeout(() => process.exit(1), 200);
});
