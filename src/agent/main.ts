import { serve } from './serve.ts';

/** Entry of the agent: the engine behind standard input and output. As one bundled file it is the entry of its worker threads too. */
const isBundled = !import.meta.url.endsWith('.ts');
serve(new URL(isBundled ? import.meta.url : import.meta.resolve('#workers/loadWorker.ts')));
