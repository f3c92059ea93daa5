import { z } from 'zod';

/**
 * Must be imported before anything that builds a schema. zod otherwise compiles the parser of each object when it is first used. A thread parses its job once and a few
 * messages: compiling takes longer.
 */
z.config({ jitless: true });
