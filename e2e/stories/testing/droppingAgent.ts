// An agent whose load workers lose one response in a hundred.
import { serve } from '#agent/serve.ts';

serve(new URL('droppingWorker.ts', import.meta.url));
