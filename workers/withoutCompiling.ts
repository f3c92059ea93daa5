import { z } from 'zod';

/**
 * Must be imported before any schema is built. Otherwise zod compiles the parser of each object at its first use, which takes longer than
 * to parse the job and the few messages of a thread.
 */
z.config({ jitless: true });
