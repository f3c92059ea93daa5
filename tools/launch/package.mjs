// The command of the installed package: built JavaScript, under Node 24 or newer.
import { fileURLToPath } from 'node:url';
import { environmentFor, findNode } from './node.mjs';
import { run } from './run.mjs';
import { say } from './say.mjs';

const here = (file) => new URL(file, import.meta.url);

try {
  const node = await findNode();
  if (node === process.execPath) {
    // What V8 made of the code at an earlier start. It lies with the code, and is removed with it; where it cannot be written, there is none. Node 20, which
    // only looks for a newer one, has no such function.
    const { enableCompileCache } = await import('node:module');
    enableCompileCache(fileURLToPath(here('../../.build/compiled')));
    await import(here('../../dist/node/cli.mjs').href);
  } else {
    process.exitCode = await run(node, [fileURLToPath(here('bin.mjs')), ...process.argv.slice(2)], { env: environmentFor(node) });
  }
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
