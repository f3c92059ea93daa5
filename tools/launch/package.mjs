// The command of the installed package: built JavaScript, under Node 24 or newer.
import { fileURLToPath } from 'node:url';
import { environmentFor, findNode } from './node.mjs';
import { run } from './run.mjs';
import { say } from './say.mjs';

const cli = new URL('../../dist/node/cli.mjs', import.meta.url);

try {
  const node = await findNode();
  if (node === process.execPath) await import(cli.href);
  else process.exitCode = await run(node, [fileURLToPath(cli), ...process.argv.slice(2)], { env: environmentFor(node) });
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
