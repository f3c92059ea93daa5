import { z } from 'zod';

/**
 * Must be imported before anything that builds a schema: zod otherwise compiles parsers with `new Function`, which the content
 * security policy refuses and reports as a violation.
 */
z.config({ jitless: true });
