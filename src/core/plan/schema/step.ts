import { z } from 'zod';
import { bodyCheckSchema } from './bodyCheck.ts';
import { captureSchema, valueNameSchema } from './journey.ts';
import { resourcesSchema } from './pages.ts';
import { thinkTimeSchema } from './load.ts';
import { streamSchema } from './stream.ts';
import { headersSchema, nameSchema, textOrSecretSchema } from './text.ts';

const fieldsSchema = z.record(z.string().min(1).max(200), z.string().max(65_536));

export const DEFAULT_MOST_HOPS = 10;

const MAX_TARGETS = 50;

const redirectsSchema = z.strictObject({
  follow: z.literal(true),
  /** Requests to which one answer after the other may send on. */
  most: z.int().min(1).max(50).default(DEFAULT_MOST_HOPS),
  /** Else a redirect to a login page fails the request: it means that nobody is logged in. */
  mayEndAtLogin: z.boolean().default(false),
  /**
   * Where each redirect has to lead, in their order: path and query, with `*` for any text within one part. Left out, anywhere on the server. A response that leads elsewhere, or nowhere,
   * is a failure.
   */
  to: z.array(z.string().min(1).max(2_048)).min(1).max(MAX_TARGETS).optional(),
});

/** A class of an hour, recorded step by step, has some 150. */
export const MOST_STEPS = 200;
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const targetNameSchema = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][\w-]*$/, 'The name of a target begins with a letter and contains only letters, digits, _ and -.');

const partName = z.string().min(1).max(200);
export const mediaTypeSchema = z
  .string()
  .max(200)
  .regex(/^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/, 'Enter a media type, for example image/jpeg.');
const fileShape = {
  name: partName,
  /** As the server is told; left out, the name of the file. */
  fileName: z.string().max(200).optional(),
  type: mediaTypeSchema.default('application/octet-stream'),
  /** Name of a list: one such part for each of its texts, which `{{NAME}}` is in this part. */
  each: valueNameSchema.optional(),
};
const partSchema = z.union([
  /** `optional`: left out when its value is empty. `type`: said with it; left out, none is, as browsers do. */
  z.strictObject({
    name: partName,
    value: z.string().max(1_000_000),
    optional: z.boolean().optional(),
    type: mediaTypeSchema.optional(),
  }),
  /** Its value follows from what the name of the file ends with that goes along (`cpp`); left out when there is none, or an empty one. */
  z.strictObject({ name: partName, valueByEnding: z.record(z.string().regex(/^\w{1,20}$/), z.string().max(65_536)) }),
  /** A path on the computer that the load comes from. */
  z.strictObject({ ...fileShape, file: z.string().min(1).max(1_000) }),
  /** Another file of this folder for each request. */
  z.strictObject({ ...fileShape, folder: z.string().min(1).max(1_000) }),
  /** Made up, of this size. A text type gets text, another one in each request. */
  z.strictObject({ ...fileShape, bytes: z.int().min(0).max(16_777_216) }),
]);

const pollSchema = z.strictObject({
  /** What the body of the last answer holds. */
  until: z.array(bodyCheckSchema).min(1).max(10),
  /** Before the second request; each pause after it is `factor` times as long. */
  firstSeconds: z.number().positive().max(3_600).default(1),
  factor: z.number().min(1).max(10).default(1.5),
  /** From the first request on; then it is given up, as a failure. */
  mostSeconds: z.number().positive().max(86_400).default(60),
});

export const MAX_PAGES = 10_000;

/** A list that comes in parts: each response says where the next begins. */
const againSchema = z.strictObject({
  /** Name of a capture of this step; the request is sent again, with the new value, until it is empty. */
  while: valueNameSchema,
  /** Its value in the first request: a number, or nothing. */
  first: z
    .string()
    .regex(/^\d{0,15}$/, 'Enter a number in quotes, or nothing.')
    .default(''),
  /** Requests after which a list that still goes on is a failure. */
  most: z.int().min(1).max(MAX_PAGES).default(1_000),
});

/** A login that ends: when it is made again. */
const renewSchema = z
  .strictObject({
    /** Of its last success, before the next request. */
    afterSeconds: z.number().positive().max(86_400).optional(),
    /** Of a response to another step, which is sent again after it. */
    onStatus: z.array(z.int().min(300).max(599)).min(1).max(10).optional(),
  })
  .refine(({ afterSeconds, onStatus }) => afterSeconds !== undefined || onStatus !== undefined, 'Enter afterSeconds or onStatus.');

const backgroundSchema = z.strictObject({
  everySeconds: z.number().min(0.1).max(86_400),
  /** Name of a step: left out, the first is sent within `everySeconds` of the user's arrival, else of the first good answer to that step. */
  after: nameSchema.optional(),
});

const noun = z.string().trim().min(1).max(40);

/** Nouns of what a step is judged by, for the verdict: “17 of 24 solutions were evaluated”. */
const itemsSchema = z.strictObject({
  one: noun,
  many: noun,
  /** What becomes of a successful one, after “were”: evaluated. */
  done: noun.optional(),
});

const MAX_CONFIRMED_STEPS = 20;

/** One request of the journey. `path` is resolved against the target's URL; empty means the target's URL itself. */
export const stepSchema = z.strictObject({
  name: nameSchema,
  method: z.enum(METHODS).default('GET'),
  path: z.string().max(2_048).default(''),
  /** Name of one of the `namedTargets` of the plan; left out, the target of the load. */
  target: targetNameSchema.optional(),
  headers: headersSchema.default({}),
  /** Name and password for HTTP Basic authentication (RFC 7617), sent as the header Authorization. */
  auth: z.strictObject({ user: z.string().max(1_000), password: z.string().max(4_000) }).optional(),
  /** Put behind the path, names and values escaped. */
  query: fieldsSchema.optional(),
  /** As it is sent. At most one of body, form, multipart and json. */
  body: textOrSecretSchema.optional(),
  /** Path of a file on the load generator that is the body, byte by byte. */
  bodyFile: z.string().min(1).max(1_000).optional(),
  /** Fields as a browser sends those of a form. */
  form: fieldsSchema.optional(),
  /** Parts of a form with files. */
  multipart: z.array(partSchema).min(1).max(100).optional(),
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
  /** Sent again and again, until its answer says what is waited for. */
  poll: pollSchema.optional(),
  /** Sent again as long as its answers say that there is more. */
  again: againSchema.optional(),
  /** After the answer, instead of the pause that the load says. */
  thinkTime: thinkTimeSchema.optional(),
  /** The answer is a page: what it links to is fetched with it. Left out, it is not. */
  resources: resourcesSchema.optional(),
  /** The answer is a stream of events, which the user holds open. */
  stream: streamSchema.optional(),
  /** A failure of it ends the journey. Left out: of a login, and of a step that captures something. */
  required: z.boolean().optional(),
  /** Only in the first journey of a user. */
  once: z.boolean().optional(),
  /** Of a step with `once`: when it is taken again. */
  renew: renewSchema.optional(),
  /** Sent by each user beside their journey, as a page that asks for news does. */
  background: backgroundSchema.optional(),
  /**
   * Name of a step: after a failed answer to it this one is sent, as a side call, and the last text that it finds is why. `pattern` is the source of a JavaScript
   * regular expression; the reason is its groups, or all of it.
   */
  explains: z.strictObject({ step: nameSchema, pattern: z.string().min(1).max(1_000) }).optional(),
  /** false: sent, and its captures taken, without being part of any figure of the run. */
  measured: z.boolean().optional(),
  /** Whether the server stores what the step sends; left out, it follows from its method. */
  stores: z.boolean().optional(),
  /** Names of other steps: a success of this one proves that what they sent in the same journey is stored. */
  confirms: z.union([nameSchema.transform((name) => [name]), z.array(nameSchema).min(1).max(MAX_CONFIRMED_STEPS)]).optional(),
  items: itemsSchema.optional(),
  /** How long its answers may take; judged as an objective of this step. */
  budgetMs: z.number().positive().max(3_600_000).optional(),
});

export type Step = z.output<typeof stepSchema>;
