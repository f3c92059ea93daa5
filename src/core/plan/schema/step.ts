import { z } from 'zod';
import { captureSchema, valueNameSchema } from './journey.ts';
import { thinkTimeSchema } from './load.ts';
import { headersSchema, nameSchema, textOrSecretSchema, hostSchema } from './url.ts';

/** Location of a number in an event: in its `id`, in its `data`, or at a path of JSON `data`. */
const placeShape = {
  from: z.enum(['id', 'data']),
  /** JSON path as in a capture: `at` or `score.time`. */
  path: z.string().min(1).max(500).optional(),
};

export const INSTANT_UNITS = ['seconds', 'milliseconds', 'microseconds'] as const;

const messageSchema = z.string().min(1).max(65_536);

/** Messages that the user sends over a WebSocket. */
const sendSchema = z.strictObject({
  /** Texts with placeholders, sent in this order when the socket is open. */
  messages: z.array(messageSchema).min(1).max(20),
  /** Interval in seconds at which all messages are repeated. Default: they are sent once. */
  everySeconds: z.number().min(0.1).max(86_400).optional(),
});

/**
 * A response that lasts until the listener leaves: events from a server (`text/event-stream`), or WebSocket messages in both directions.
 * Messages are events without an id.
 */
export const streamSchema = z.strictObject({
  kind: z.enum(['events', 'websocket']).default('events'),
  send: sendSchema.optional(),
  /** WebSocket subprotocols in order of preference. */
  protocols: z
    .array(z.string().regex(/^[!#$%&'*+\-.^_`|~\w]{1,100}$/, 'A subprotocol is a word.'))
    .min(1)
    .max(10)
    .optional(),
  /** Time in seconds for which the user listens. Default: until the end of the load. */
  seconds: z.number().positive().max(86_400).optional(),
  /**
   * Whether the journey continues while the stream is open. The user leaves the stream at the end of the session, or when this step is
   * repeated.
   */
  beside: z.boolean().optional(),
  /** Location of the event's sending time, which is a Unix time. */
  sentAt: z.strictObject({ ...placeShape, unit: z.enum(INSTANT_UNITS).default('milliseconds'), isHex: z.boolean().optional() }).optional(),
  /** Location of the event's consecutive number, by which lost events are counted. */
  number: z.strictObject(placeShape).optional(),
});
export type StreamStep = z.output<typeof streamSchema>;

/** Kinds of resources that a browser loads with a page. */
export const RESOURCE_KINDS = ['css', 'script', 'image', 'icon', 'font'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Number of connections that browsers open to one host. */
const USUAL_CONNECTIONS = 6;

/** How a page's resources are loaded; for an example, see docs/journeys.md. */
const resourcesSchema = z.strictObject({
  kinds: z
    .array(z.enum(RESOURCE_KINDS))
    .min(1)
    .max(RESOURCE_KINDS.length)
    .default([...RESOURCE_KINDS]),
  /** Whether resources are loaded in parallel over several connections, or one after another over the connection of the page. */
  how: z.enum(['parallel', 'serial']).default('parallel'),
  /** Links to load: those that a browser loads, or all `link` and `img` tags as in FunkLoad. */
  reads: z.enum(['browser', 'tags']).default('browser'),
  /** Number of connections per user and host for `parallel`, including that of the page. */
  connections: z.int().min(1).max(32).default(USUAL_CONNECTIONS),
  /** Additional hosts from which resources are loaded. Resources on other hosts are only counted. */
  otherHosts: z.array(hostSchema).max(50).default([]),
});
export type Resources = z.output<typeof resourcesSchema>;

/** Words for the names of figures, as in “home › images”. */
export const RESOURCE_WORDS: Readonly<Record<ResourceKind, string>> = {
  css: 'style sheets',
  script: 'scripts',
  image: 'images',
  icon: 'icons',
  font: 'fonts',
};

const isNegated = z.boolean().default(false);

/** Content that a response body must have. `not` inverts a check. Sizes are in bytes before decompression. */
export const bodyCheckSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('contains'), text: z.string().min(1).max(10_000), not: isNegated }),
  /** `pattern` is the source of a JavaScript regular expression. */
  z.strictObject({
    kind: z.literal('matches'),
    pattern: z.string().min(1).max(1_000),
    flags: z.string().max(6).default(''),
    not: isNegated,
  }),
  /** A JSON path. Without `equals`, the path only has to exist. */
  z.strictObject({
    kind: z.literal('json'),
    path: z.string().min(1).max(500),
    equals: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]).optional(),
    not: isNegated,
  }),
  /**
   * An HTML page whose title and heading show no error and which, by default, asks for no login. `mayBeOther`: other content is valid, too.
   * `withoutErrors`: the page shows no error message either.
   */
  z.strictObject({
    kind: z.literal('page'),
    mayHaveLogin: z.boolean().default(false),
    mayBeOther: z.boolean().optional(),
    withoutErrors: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('size'), minBytes: z.int().min(0).optional(), maxBytes: z.int().min(0).optional() }),
]);
export type BodyCheck = z.output<typeof bodyCheckSchema>;

const fieldsSchema = z.record(z.string().min(1).max(200), z.string().max(65_536));

export const DEFAULT_MOST_HOPS = 10;

const MAX_TARGETS = 50;

const redirectsSchema = z.strictObject({
  follow: z.literal(true),
  /** Maximum number of redirects in a row. */
  most: z.int().min(1).max(50).default(DEFAULT_MOST_HOPS),
  /** If false, a redirect to a login page fails the request: it means that nobody is logged in. */
  mayEndAtLogin: z.boolean().default(false),
  /**
   * Required target of each redirect, in order: path and query, with `*` for any text within one part. Default: any address of the server.
   * A redirect to another address, or a missing redirect, is a failure.
   */
  to: z.array(z.string().min(1).max(2_048)).min(1).max(MAX_TARGETS).optional(),
});

/** Maximum number of steps of a journey. A recorded class of an hour has about 150. */
export const MAX_STEPS = 200;
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
  /** File name in the request. Default: the name of the file. */
  fileName: z.string().max(200).optional(),
  type: mediaTypeSchema.default('application/octet-stream'),
  /** Name of a list. The request has one part for each text of the list, and `{{NAME}}` in this part is that text. */
  each: valueNameSchema.optional(),
};
const partSchema = z.union([
  /** A field with a value. `optional`: omitted if the value is empty. `type`: media type of the part; default: none, as in browsers. */
  z.strictObject({ name: partName, value: z.string().max(1_000_000), optional: z.boolean().optional(), type: mediaTypeSchema.optional() }),
  /**
   * A field whose value depends on the extension (`cpp`) of the request's first file. Omitted if the extension has no value, or an empty
   * one.
   */
  z.strictObject({ name: partName, valueByEnding: z.record(z.string().regex(/^\w{1,20}$/), z.string().max(65_536)) }),
  /** A path on the load generator. */
  z.strictObject({ ...fileShape, file: z.string().min(1).max(1_000) }),
  /** A folder on the load generator. Each request sends another file from it. */
  z.strictObject({ ...fileShape, folder: z.string().min(1).max(1_000) }),
  /** Generated content of this size in bytes. Text types get text, which differs between requests. */
  z.strictObject({ ...fileShape, bytes: z.int().min(0).max(16_777_216) }),
]);

const pollSchema = z.strictObject({
  /** Checks that the body of the last response must pass. */
  until: z.array(bodyCheckSchema).min(1).max(10),
  /** Pause in seconds before the second request. Each later pause is `factor` times as long. */
  firstSeconds: z.number().positive().max(3_600).default(1),
  factor: z.number().min(1).max(10).default(1.5),
  /** Maximum time in seconds from the first request on. After it, the poll fails. */
  mostSeconds: z.number().positive().max(86_400).default(60),
});

export const MAX_PAGES = 10_000;

/** A list that is sent in parts: each response says where the next part begins. */
const againSchema = z.strictObject({
  /** Name of a capture of this step; the request is sent again, with the new value, until it is empty. */
  while: valueNameSchema,
  /** Value of the capture in the first request: a number, or nothing. */
  first: z
    .string()
    .regex(/^\d{0,15}$/, 'Enter a number in quotes, or nothing.')
    .default(''),
  /** Maximum number of requests. A list that needs more is a failure. */
  most: z.int().min(1).max(MAX_PAGES).default(1_000),
});

/** When to repeat a login that expires. */
const renewSchema = z
  .strictObject({
    /** Seconds after the last successful login. The login is repeated before the next request. */
    afterSeconds: z.number().positive().max(86_400).optional(),
    /** Statuses of a response to another step. That step is repeated after the login. */
    onStatus: z.array(z.int().min(300).max(599)).min(1).max(10).optional(),
  })
  .refine(({ afterSeconds, onStatus }) => afterSeconds !== undefined || onStatus !== undefined, 'Enter afterSeconds or onStatus.');

const MAX_RELOADS = 20;

/** How people reload a failed page: after a pause of `fromSeconds` to `toSeconds`, and at most `most` times. */
const reloadSchema = z
  .strictObject({
    most: z.int().min(1).max(MAX_RELOADS).default(3),
    fromSeconds: z.number().min(0).max(3_600).default(3),
    toSeconds: z.number().min(0).max(3_600).default(10),
  })
  .refine(({ fromSeconds, toSeconds }) => fromSeconds <= toSeconds, 'fromSeconds is larger than toSeconds.');

const backgroundSchema = z.strictObject({
  everySeconds: z.number().min(0.1).max(86_400),
  /**
   * Name of a step. The first request is sent within `everySeconds` of the first successful response to that step. Default: within that
   * time of the user's arrival.
   */
  after: nameSchema.optional(),
  /** Name of a step whose first successful response ends the background step. */
  until: nameSchema.optional(),
  /** Whether the step is sent only in pauses of the journey, as by the script of a page. A page that is being left sends nothing. */
  inPauses: z.boolean().optional(),
});

const noun = z.string().trim().min(1).max(40);

/** Nouns for the items of a step in the verdict: “17 of 24 solutions were evaluated”. */
const itemsSchema = z.strictObject({
  one: noun,
  many: noun,
  /** Participle for a successful item, used after “were”: evaluated. */
  done: noun.optional(),
});

const MAX_CONFIRMED_STEPS = 20;

/** A limited number of places that a step gives, such as those of a course. */
const placesSchema = z.strictObject({
  /** Number of free places. Omitted at an earlier step that may already say that none is left, such as the page of the form. */
  count: z.int().min(1).max(10_000_000).optional(),
  /** Text of a response that says that no place is left. A response with the text is successful, and ends the journey without a failure. */
  full: z.string().min(1).max(500),
});

/** One request of the journey. `path` is resolved against the target's URL. An empty path means the target's URL itself. */
export const stepSchema = z.strictObject({
  name: nameSchema,
  method: z.enum(METHODS).default('GET'),
  path: z.string().max(2_048).default(''),
  /** Name of one of the plan's `namedTargets`. Default: the target of the load. */
  target: targetNameSchema.optional(),
  headers: headersSchema.default({}),
  /** Name and password for HTTP Basic authentication (RFC 7617), sent as the Authorization header. */
  auth: z.strictObject({ user: z.string().max(1_000), password: z.string().max(4_000) }).optional(),
  /** Query after the path. Names and values are escaped. */
  query: fieldsSchema.optional(),
  /** Body that is sent unchanged. A step has at most one of body, form, multipart and json. */
  body: textOrSecretSchema.optional(),
  /** Path of a file on the load generator. Its bytes are the body. */
  bodyFile: z.string().min(1).max(1_000).optional(),
  /** Fields of a form, as a browser sends them. */
  form: fieldsSchema.optional(),
  /** Parts of a form with files. */
  multipart: z.array(partSchema).min(1).max(100).optional(),
  /** Body as JSON. A text that consists of `{{name|raw}}` is replaced together with its quotes. */
  json: z.json().optional(),
  /** Status codes that count as `ok`; default: any 2xx. */
  expectStatus: z.array(z.int().min(100).max(599)).min(1).max(50).optional(),
  /** Checks of the response body; a response that fails one is `wrongBody`. */
  checks: z.array(bodyCheckSchema).max(20).default([]),
  captures: z.array(captureSchema).max(50).optional(),
  /** How redirects are followed. Default: they are not followed, and their responses are treated like others. */
  redirects: redirectsSchema.optional(),
  /** How the request is repeated until a response passes the checks of the poll. */
  poll: pollSchema.optional(),
  /** How the request is repeated while its responses announce more. */
  again: againSchema.optional(),
  /** Pause after the response. Default: the think time of the load. */
  thinkTime: thinkTimeSchema.optional(),
  /** Whether the response is a page whose resources are fetched. Default: they are not fetched. */
  resources: resourcesSchema.optional(),
  /** Whether the response is a stream of events, which the user keeps open. */
  stream: streamSchema.optional(),
  /** Whether a failure of the step ends the journey. Default: true for a login, and for a step that captures something. */
  required: z.boolean().optional(),
  /** Whether the step is sent only in the first journey of a user. */
  once: z.boolean().optional(),
  /** When to repeat a step with `once`. */
  renew: renewSchema.optional(),
  /** How the user sends the request again, as people reload a page: after a response with 502, 503 or 504, and if there is no response. */
  reload: reloadSchema.optional(),
  /**
   * Name of a bell. Each user waits for it once before sending this step. The time of the bell is then the scheduled start of the request.
   */
  gate: valueNameSchema.optional(),
  /** How each user sends the step beside the journey, like the polling of an open page. */
  background: backgroundSchema.optional(),
  /**
   * Explains failures. After a failed response to `step`, this step is sent as a side call, and the last match of `pattern` is the reason.
   * `pattern` is the source of a JavaScript regular expression; the reason is its groups, or the whole match.
   */
  explains: z.strictObject({ step: nameSchema, pattern: z.string().min(1).max(1_000) }).optional(),
  /** If false, the step is sent and captures values, but is in no figure of the run. */
  measured: z.boolean().optional(),
  /** Whether the server stores what the step sends. The default depends on its method. */
  stores: z.boolean().optional(),
  /** Names of other steps. A success of this step proves that what they sent in the same journey is stored. */
  confirms: z.union([nameSchema.transform((name) => [name]), z.array(nameSchema).min(1).max(MAX_CONFIRMED_STEPS)]).optional(),
  items: itemsSchema.optional(),
  places: placesSchema.optional(),
  /** Maximum time of the step's responses in ms, which is a pass criterion of this step. */
  budgetMs: z.number().positive().max(3_600_000).optional(),
});

export type Step = z.output<typeof stepSchema>;
