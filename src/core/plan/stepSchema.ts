import { z } from 'zod';
import { bodyCheckSchema } from '../bodyCheck/schema.ts';
import { captureSchema } from '../journey/schema.ts';
import { thinkTimeSchema } from './loadSchema.ts';
import { headersSchema, nameSchema, textOrSecretSchema } from './textSchema.ts';

const fieldsSchema = z.record(z.string().min(1).max(200), z.string().max(65_536));

export const DEFAULT_MOST_HOPS = 10;

const redirectsSchema = z.strictObject({
  follow: z.literal(true),
  /** Requests to which one answer after the other may send on. */
  most: z.int().min(1).max(50).default(DEFAULT_MOST_HOPS),
  /** Else a redirect to a login page fails the request: it means that nobody is logged in. */
  mayEndAtLogin: z.boolean().default(false),
});

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** One request of the journey. `path` is resolved against the target's URL; empty means the target's URL itself. */
export const stepSchema = z.strictObject({
  name: nameSchema,
  method: z.enum(METHODS).default('GET'),
  path: z.string().max(2_048).default(''),
  headers: headersSchema.default({}),
  /** Put behind the path, names and values escaped. */
  query: fieldsSchema.optional(),
  /** As it is sent. At most one of body, form and json. */
  body: textOrSecretSchema.optional(),
  /** Fields as a browser sends those of a form. */
  form: fieldsSchema.optional(),
  /** Any value; `{{name|raw}}` as a whole text is replaced together with its quotes. */
  json: z.json().optional(),
  /** Status codes that count as `ok`; left out, any 2xx does. */
  expectStatus: z.array(z.int().min(100).max(599)).min(1).max(50).optional(),
  /** What its body must hold; an answer that does not is `wrongBody`. */
  checks: z.array(bodyCheckSchema).max(20).default([]),
  /** Values that later steps need. */
  captures: z.array(captureSchema).max(50).optional(),
  /** Left out, an answer with a redirect is an answer like any other. */
  redirects: redirectsSchema.optional(),
  /** After the answer, instead of the pause that the load says. */
  thinkTime: thinkTimeSchema.optional(),
  /** Only in the first journey of a user. */
  once: z.boolean().optional(),
});

export type Step = z.output<typeof stepSchema>;
