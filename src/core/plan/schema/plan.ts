import { isIpAddress, readPin } from '../pins.ts';
import { z } from 'zod';
import { bellsSchema } from './bells.ts';
import { poolSchema } from '../pools.ts';
import { feedSchema } from './feeds.ts';
import { flowSchema } from './flow.ts';
import { valueNameSchema, variableSchema } from './journey.ts';
import { populateSchema, storedSchema } from './populate.ts';
import { monitorsSchema } from './monitors.ts';
import { peopleSchema } from './people.ts';
import { demandSchema } from './demand.ts';
import { loadSchema, MAX_REQUESTS, MAX_STAGE_SECONDS } from './load.ts';
import { MAX_STEPS, stepSchema, targetNameSchema } from './step.ts';
import { hostSchema, httpUrlSchema, headersSchema, nameSchema, secretSchema, textOrSecretSchema } from './url.ts';
import { watchSchema, watchPagesSchema } from './watchPages.ts';
import { hostNameSchema } from './hosts.ts';
import { traceSchema } from './trace.ts';

export { METHODS, MAX_STEPS } from './step.ts';
export type { Step } from './step.ts';
export type { TextOrSecret } from './url.ts';

/**
 * The plan: everything that defines the load of a run, its targets and its pass criteria. It is stored with every run and contains no
 * secret. A secret value is a reference (`env:NAME`, `file:PATH`, `ask:LABEL`, `session:ID`) that is resolved when the run starts and
 * deleted when it ends.
 */

export const PLAN_VERSION = 1;

/** One server or shard. The relative paths of steps are appended to the path of its URL. */
export const targetSchema = z.strictObject({
  name: nameSchema.optional(),
  url: httpUrlSchema,
  headers: headersSchema.default({}),
  /** Value of the Cookie header. */
  cookie: textOrSecretSchema.optional(),
  /** Name and password for HTTP Basic authentication (RFC 7617), sent as the Authorization header. */
  auth: z.strictObject({ user: z.string().max(1_000), password: textOrSecretSchema }).optional(),
});

const scopeShape = {
  /** Name of the criterion's step, or of the watched page for visits. Default: each step is judged separately. */
  step: nameSchema.optional(),
  /** Name of the criterion's stage. Default: each counted stage is judged separately. */
  stage: nameSchema.optional(),
};

const judgedShape = {
  ...scopeShape,
  /** What is counted: whole pages with resources, events of streams, streams, or browser visits; default: requests. */
  of: z.enum(['pages', 'events', 'streams', 'visits']).optional(),
};

/** A target that steps refer to by name. */
const namedTargetSchema = z.union([
  httpUrlSchema.transform((url): z.output<typeof targetSchema> => ({ url, headers: {} })),
  targetSchema.omit({ name: true }),
]);

/** Maximum number of addresses in `connections.resolve`. */
export const MAX_PINS = 100;

/** Maximum number of named targets. Each adds a connection to every user. */
export const MAX_NAMED_TARGETS = 20;

/** Pass criteria; docs/method.md explains how each is decided. */
export const criterionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('responseTime'),
    ...judgedShape,
    percentile: z.number().gt(0).lt(100),
    maxMs: z.number().positive().max(3_600_000),
  }),
  z.strictObject({ kind: z.literal('errors'), ...judgedShape, maxShare: z.number().min(0).lt(1) }),
  z.strictObject({ kind: z.literal('throughput'), ...scopeShape, minPerSecond: z.number().positive() }),
  z.strictObject({
    kind: z.literal('apdex'),
    ...judgedShape,
    thresholdMs: z.number().positive().max(3_600_000),
    min: z.number().min(0).max(1),
  }),
]);
export type Criterion = z.infer<typeof criterionSchema>;

export const safetySchema = z.strictObject({
  /**
   * Stops the run if the mean error share per second over the last `errorWindowSeconds` exceeds this value. Needs at least 100 requests,
   * and never stops earlier than after that time.
   */
  stopAtErrorShare: z.number().gt(0).max(1).optional(),
  errorWindowSeconds: z.int().min(1).max(600).default(10),
  /** Stops the run if, in the last `seconds`, more requests than the percentile allows were too slow or failed. */
  stopAtResponseTime: z
    .strictObject({
      percentile: z.number().gt(0).lt(100).default(95),
      maxMs: z.number().positive().max(3_600_000),
      seconds: z.int().min(1).max(600).default(10),
    })
    .optional(),
  /** Stops the run after this many started requests. */
  maxRequests: z.int().min(1).max(MAX_REQUESTS).optional(),
  /** Stops the run after this time, including the drain. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).optional(),
});

export const ENGINES = ['auto', 'autocannon', 'native', 'k6'] as const;

/** How certificates of https targets are verified. Texts are PEM. */
export const tlsSchema = z.strictObject({
  /** Whether certificates are verified; if not, any certificate is accepted. */
  verify: z.boolean().default(true),
  /** Private certificate authority that is trusted instead of Node's public ones. */
  ca: z.string().max(1_048_576).optional(),
  /** Server name for SNI and verification; default: the target's host. */
  serverName: z.string().min(1).max(255).optional(),
  /** Share of connections that resume an earlier TLS session, like returning visitors, 0 to 1; default: none. */
  resume: z.number().min(0).max(1).optional(),
  /** Client certificate for servers that request one. It is public; its key and passphrase are never in a plan. */
  clientCertificate: z
    .strictObject({ certificate: z.string().max(1_048_576), key: secretSchema, passphrase: secretSchema.optional() })
    .optional(),
});

const ipAddressSchema = z.string().refine(isIpAddress, 'Enter an IP address, for example 192.0.2.7 or 2001:db8::7.');

/**
 * Maximum length of a socket's path: the limit of the system (sun_path in unix(7), without the final zero). Some systems allow 4 bytes
 * less.
 */
const MAX_SOCKET_PATH_BYTES = 107;

export const REUSES = ['always', 'journey', 'never'] as const;

/** Default time limit of a request. */
export const DEFAULT_TIMEOUT_SECONDS = 120;

/** Versions of HTTP by their names in ALPN. */
export const PROTOCOLS = ['http/1.1', 'h2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
/** Maximum number of HTTP/2 streams per connection. Typical limits of servers are lower. */
const MAX_STREAMS = 1_000;

export const connectionsSchema = z.strictObject({
  /** Protocol. Default: HTTP/1.1. For a target without TLS, `h2` assumes that it supports HTTP/2. */
  protocol: z.enum(PROTOCOLS).optional(),
  /** Number of the load's connections that share one HTTP/2 connection, as its streams. Default: none share one. */
  streams: z.int().min(1).max(MAX_STREAMS).optional(),
  /** How long a connection is reused: as long as the server allows, for one journey like a visitor's, or for one request. */
  reuse: z.enum(REUSES).default('always'),
  /** Time limit for connecting, including TLS; default: only the request's time limit. */
  connectSeconds: z.number().positive().max(3_600).optional(),
  /** Time limit from the sent request to the first byte of its response. */
  firstByteSeconds: z.number().positive().max(3_600).optional(),
  /** Connects to this Unix socket instead of to the target's host and port. The URL still provides the Host header and the path. */
  socketPath: z
    .string()
    .max(MAX_SOCKET_PATH_BYTES)
    .regex(/^\/[^\0]*[^\0/]$/, 'Enter the full path of the socket, beginning with /.')
    .optional(),
  /** Local addresses that connections use one after another. Default: the system chooses one. */
  localAddresses: z.array(ipAddressSchema).min(1).max(256).optional(),
  /** Addresses that replace the name lookup of a host: `HOST:PORT:ADDRESS`, with one entry for each address. */
  resolve: z
    .array(
      z
        .string()
        .max(320)
        .refine((text) => readPin(text) !== null, 'Enter host, port and IP address, for example shop.example:443:10.0.0.7.'),
    )
    .min(1)
    .max(MAX_PINS)
    .optional(),
});

/** A generated value, or a secret by reference. */
const planVariableSchema = z.discriminatedUnion('kind', [
  ...variableSchema.options,
  z.strictObject({ kind: z.literal('secret'), secret: secretSchema.shape.secret }),
]);

const serversSchema = z.strictObject({
  /** Name of the response header that identifies the server. Omitted if there is only one. */
  header: z
    .string()
    .max(100)
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'Enter the name of a header, for example X-Shard.')
    .optional(),
  expected: z.int().min(1).max(10_000).optional(),
  /** Database connection pool. Findings name its settings. */
  pool: poolSchema.optional(),
});

/** Length of the slots of a duet in ms. */
export const slotMsSchema = z.int().min(20).max(10_000).default(50);

const duetSchema = z.strictObject({ variants: z.tuple([nameSchema, nameSchema]), slotMs: slotMsSchema });

export const COOKIES = ['journey', 'user', 'ignore'] as const;

/**
 * Large schemas are exported with named types, so that the compiler writes names into declarations. Without these, it repeats all fields in
 * every schema that contains them, and compares them again in every project.
 */
const wholePlanSchema = z.strictObject({
  holdfast: z.literal(PLAN_VERSION),
  name: z.string().trim().min(1).max(120),
  /** One or two sentences that introduce the report. */
  story: z.string().max(2_000).default(''),
  preset: z.string().max(60).optional(),
  /** Answers to the preset's questions, kept to show them again. Secrets are references. */
  answers: z.record(z.string().max(60), z.union([z.string().max(20_000), z.number(), z.boolean()])).optional(),
  targets: z.array(targetSchema).min(1).max(64),
  /** Servers that steps select with `target`. They get no share of the load. */
  namedTargets: z
    .record(targetNameSchema, namedTargetSchema)
    .refine((named) => Object.keys(named).length <= MAX_NAMED_TARGETS, `A plan has at most ${MAX_NAMED_TARGETS} named targets.`)
    .optional(),
  journey: z.array(stepSchema).min(1).max(MAX_STEPS),
  /** Order of the steps; default: as listed. */
  flow: flowSchema.optional(),
  /** Two variants that take turns within the run. The flow is one choice between their steps, in this order. */
  duet: duetSchema.optional(),
  /** Other hosts, with or without a port, for steps with `measured: false`. */
  sideHosts: z.array(hostSchema).max(20).optional(),
  /** Values of `{{name}}` in the steps, in addition to captures. */
  variables: z.record(valueNameSchema, planVariableSchema).optional(),
  /** Files with values for the steps, used as `{{feed.column}}`. */
  feeds: z.record(valueNameSchema, feedSchema).optional(),
  /** Scope of cookies: a journey, all journeys of a user, or none. The default depends on the steps. */
  cookies: z.enum(COOKIES).optional(),
  load: loadSchema,
  /** Times at which the users who wait at a step with `gate` continue. */
  bells: bellsSchema.optional(),
  /** The people behind the users. Results report what became of each person. */
  people: peopleSchema.optional(),
  /** Expected real demand, by which results report the headroom. */
  demand: demandSchema.optional(),
  /** Numbers that are read periodically during the load. Results report their growth. */
  watch: z.array(watchSchema).max(10).optional(),
  /** Pages that a real browser visits during the load, which measures the experience of visitors. */
  watchPages: watchPagesSchema.optional(),
  /** Name of the host whose browser visits the pages. Default: this computer. */
  watchFrom: hostNameSchema.optional(),
  /** Counts that the target makes itself, read before and after the load. */
  stored: z.array(storedSchema).max(10).optional(),
  /** Monitored machines and services, in addition to the load generators. */
  monitors: monitorsSchema.optional(),
  /** How responses identify one of several servers behind one address. */
  servers: serversSchema.optional(),
  /** Whether cache hits are counted, as far as response headers report them. Default: no headers are evaluated. */
  countsCache: z.boolean().optional(),
  /** Trace ids that are sent with requests; default: none. */
  trace: traceSchema.optional(),
  criteria: z.array(criterionSchema).max(50).default([]),
  safety: safetySchema.default({ errorWindowSeconds: 10 }),
  engine: z.enum(ENGINES).default('auto'),
  tls: tlsSchema.default({ verify: true }),
  connections: connectionsSchema.default({ reuse: 'always' }),
  /** Number of load threads. Default: chosen automatically. */
  threads: z.int().min(1).max(64).optional(),
  /** What happens if one of several load generators is lost: the run continues with less load (default), or stops. */
  onLostGenerator: z.enum(['continue', 'stop']).optional(),
  /**
   * Number of seconds for which a load on a host continues without its connection and waits for a reconnection: see `readGraceSeconds`. If
   * it is 0, the load ends immediately.
   */
  graceSeconds: z.number().min(0).max(600).optional(),
  /** Seed of all random values. The same seed makes a run repeatable. */
  seed: z.int().min(0).max(4_294_967_295).default(1),
  /** Time limit of a request in seconds, from connecting to the last byte. */
  timeoutSeconds: z.number().min(1).max(3_600).default(DEFAULT_TIMEOUT_SECONDS),
  /** Time in seconds to wait for outstanding responses when the load ends. Default: the time limit of a request. */
  drainSeconds: z.number().min(0).max(3_600).optional(),
  /** Sends `User-Agent: Holdfast/x (run ID)`, by which the owner of a server can identify and stop a test. */
  identify: z.boolean().default(true),
  /** The people whom the criteria are for, e.g. "750 participants"; the verdict names them. Empty: nobody in particular. */
  claim: z.string().trim().max(120).default(''),
  /** What this plan exercises and omits, in the author's words; the verdict repeats both. */
  exercises: z.array(z.string().max(200)).max(20).default([]),
  omits: z.array(z.string().max(200)).max(20).default([]),
  /** What to check in the result, and what it means. */
  lookAt: z.array(z.string().max(400)).max(20).default([]),
  /** Data that a run leaves on the target, and how to remove them: "One submission for each journey: …". */
  leavesBehind: z.array(z.string().max(300)).max(20).default([]),
  /** Creation and removal of the plan's data on its target. */
  populate: populateSchema.optional(),
});

/** A plan with all defaults, as used by the app. */
export interface Plan extends z.output<typeof wholePlanSchema> {}
/** A plan as written by a user. */
export interface PlanInput extends z.input<typeof wholePlanSchema> {}
export const planSchema: z.ZodType<Plan, PlanInput> = wholePlanSchema;
export const planFields = wholePlanSchema.shape;
export type Target = Plan['targets'][number];
export type Safety = Plan['safety'];
