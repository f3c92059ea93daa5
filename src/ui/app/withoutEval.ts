import { z } from 'zod';

/**
 * Must be imported before any schema is built. Otherwise zod compiles parsers with `new Function`, which the content security policy
 * refuses and reports as a violation.
 */
z.config({ jitless: true });
