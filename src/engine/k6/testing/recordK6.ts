import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildJob } from '#engine/testing/runLoad.ts';
import { startK6 } from '../startK6.ts';
import { findK6 } from '../findK6.ts';
import { RECORDED_PLAN } from './recordedPlan.ts';

/**
 * Records the output of a real k6 for the tests of its reader: node src/engine/k6/testing/recordK6.ts [k6]. The server responds differently
 * to each step of the plan: correctly, with a wrong body, with 404, with a redirect, by closing the connection, and too late.
 */
const program = process.argv[2] ?? 'k6';
const folder = fileURLToPath(new URL('../../../core/k6/testing/recorded', import.meta.url));

const server = createServer((request, response) => {
  switch (new URL(request.url ?? '/', 'http://localhost').pathname) {
    case '/':
      return void response.end('Welcome');
    case '/wrong':
      return void response.end('An error has happened');
    case '/moved':
      return void response.writeHead(302, { Location: '/' }).end();
    case '/broken':
      return void request.socket.destroy();
    case '/slow':
      return;
    default:
      return void response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

const place = await mkdtemp(join(tmpdir(), 'holdfast-record-'));
try {
  const { version, path } = await findK6(program);
  const output = join(place, 'output.jsonl');
  const tee = join(place, 'k6');
  await writeFile(tee, `#!/bin/sh\n'${path}' "$@" | tee '${output}'\n`);
  await chmod(tee, 0o755);
  const run = startK6(
    buildJob([`http://127.0.0.1:${port}/`], RECORDED_PLAN),
    { path: tee, version },
    { onDraining() {}, onStage() {}, onWindow() {}, onEvent: ({ text }) => console.error(text) },
  );
  const { reason, problem } = await run.done;
  if (problem !== null) throw new Error(problem.message);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `k6-${version}.jsonl`), await readFile(output));
  console.log(`${reason}: k6-${version}.jsonl`);
} finally {
  server.close();
  server.closeAllConnections();
  await rm(place, { recursive: true, force: true });
}
