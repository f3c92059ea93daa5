import { relayTo } from './relay.ts';
import { serve } from './serve.ts';

/**
 * Entry of the agent: serves the engine on standard input and output. Started with `resume PATH`, it only relays to a running agent. Bundled to one file, it
 * is the entry of its worker threads, too.
 */
const [what, path] = process.argv.slice(2);
const isBundled = !import.meta.url.endsWith('.ts');
if (what === 'resume' && path !== undefined) relayTo(path);
else serve(new URL(isBundled ? import.meta.url : import.meta.resolve('#workers/loadWorker.ts')));
