// The command of the installed package. It runs built JavaScript under Node 24 or newer.
import { fileURLToPath } from 'node:url';
import { environmentFor, findNode } from './node.mjs';
import { run, print } from './run.mjs';

const urlOf = (file) => new URL(file, import.meta.url);

try {
  const node = await findNode();
  if (node === process.execPath) {
    // V8's compile cache from an earlier start. The cache is next to the code and removed with it; without write access there is none. Node
    // 20, which only searches for a newer Node, lacks this function.
    const { enableCompileCache } = await import('node:module');
    enableCompileCache(fileURLToPath(urlOf('../../.build/compiled')));
    await import(urlOf('../../dist/node/cli.mjs').href);
  } else {
    process.exitCode = await run(node, [fileURLToPath(urlOf('bin.mjs')), ...process.argv.slice(2)], { env: environmentFor(node) });
  }
} catch (error) {
  print(error.message);
  process.exitCode = 1;
}
