import { isIpAddress, readPin } from '../pins.ts';
import { z } from 'zod';
import { poolSchema } from '../pools.ts';
import { feedSchema } from './feeds.ts';
import { flowSchema } from './flow.ts';
import { valueNameSchema, variableSchema } from './journey.ts';
import { populateSchema, storedSchema } from './populate.ts';
import { monitorsSchema } from './monitors.ts';
import { demandSchema } from './demand.ts';
import { loadSchema, MAX_REQUESTS, MAX_STAGE_SECONDS } from './load.ts';
import { MOST_STEPS, stepSchema, targetNameSchema } from './step.ts';
import { hostSchema, httpUrlSchema } from './url.ts';
import { watchSchema } from './watch.ts';
import { hostNameSchema } from './hosts.ts';
import { watchPagesSchema } from './watchPages.ts';
import { headersSchema, nameSchema, secretSchema, textOrSecretSchema } from './text.ts';

export { METHODS, MOST_STEPS } from './step.ts';
export type { Step } from './step.ts';
export type { TextOrSecret } from './text.ts';

/**
 * The plan: everything that decides what load a run puts where, and what counts as good enough. It is stored with every run
 * and holds no secret: a secret value is a reference (`env:NAME`, `file:PATH`, `ask:LABEL`, `session:ID`) that is resolved
 * when the run starts and forgotten when it ends.
 */

export const PLAN_VERSION = 1;

/** One server (or one shard of it). Its URL may carry a path, which every step's path is appended to when it is relative. */
export const targetSchema = z.strictObject({
  name: nameSchema.optional(),
  url: httpUrlSchema,
  headers: headersSchema.default({}),
  /** Sent as the Cookie header. */
  cookie: textOrSecretSchema.optional(),
  /** Name and password for HTTP Basic authentication (RFC 7617), sent as the header Authorization. */
  auth: z.strictObject({ user: z.string().max(1_000), password: textOrSecretSchema }).optional(),
});

const scopeShape = {
  /** Name of the step it is about, of visits of the watched page; left out, each is judged by itself. */
  step: nameSchema.optional(),
  /** Name of the stage it is about; left out, each counted stage is judged by itself. */
  stage: nameSchema.optional(),
};

const judgedShape = {
  ...scopeShape,
  /** Whole pages, with what they link to, the events that come over streams, the streams themselves, or visits with a browser; left out, requests. */
  of: z.enum(['pages', 'events', 'streams', 'visits']).optional(),
};

/** A target that steps are sent to by its name. */
const namedTargetSchema = z.union([
  httpUrlSchema.transform((url): z.output<typeof targetSchema> => ({ url, headers: {} })),
  targetSchema.omit({ name: true }),
]);

/** As many as a page of many services has; each is a connection more of every user. */
export const MAX_NAMED_TARGETS = 20;

/** Limits on shares and rates; docs/method.md says how each is decided. */
export const objectiveSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('responseTime'),
    ...judgedShape,
    percentile: z.number().gt(0).lt(100),
    limitMs: z.number().positive().max(3_600_000),
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
export type Objective = z.infer<typeof objectiveSchema>;

export const safetySchema = z.strictObject({
  /** The run stops when more than this share of the requests failed in the mean second of the last `errorWindowSeconds` (at least 100 requests), and so many have passed. */
  stopAtErrorShare: z.number().gt(0).max(1).optional(),
  errorWindowSeconds: z.int().min(1).max(600).default(10),
  /** The run stops when, of the requests that ended in the last `seconds`, more than the percentile allows took longer or failed. */
  stopAtResponseTime: z
    .strictObject({
      percentile: z.number().gt(0).lt(100).default(95),
      limitMs: z.number().positive().max(3_600_000),
      seconds: z.int().min(1).max(600).default(10),
    })
    .optional(),
  /** The run stops when it has started this many requests. */
  maxRequests: z.int().min(1).max(MAX_REQUESTS).optional(),
  /** The run stops after this time, drain included. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).optional(),
});

export const ENGINES = ['auto', 'autocannon', 'native', 'k6'] as const;

/** How certificates of https targets are judged. Texts are PEM. */
export const tlsSchema = z.strictObject({
  /** false accepts any certificate. */
  verify: z.boolean().default(true),
  /** Trusted instead of the public authorities that Node comes with: a private one. */
  ca: z.string().max(1_048_576).optional(),
  /** Name to ask for and to verify; left out, the target's host. */
  serverName: z.string().min(1).max(255).optional(),
  /** Share of the connections that take up the session of an earlier one, as those of returning visitors do, 0 to 1; left out, none does. */
  resume: z.number().min(0).max(1).optional(),
  /** Shown to a server that asks who is there. The certificate is public; its key and what unlocks the key never stand in a plan. */
  clientCertificate: z
    .strictObject({ certificate: z.string().max(1_048_576), key: secretSchema, passphrase: secretSchema.optional() })
    .optional(),
});

const ipAddressSchema = z.string().refine(isIpAddress, 'Enter an IP address, for example 192.0.2.7 or 2001:db8::7.');

/** The system's own limit (sun_path in unix(7), less the final zero); some systems take 4 bytes less. */
const MAX_SOCKET_PATH_BYTES = 107;

export const REUSES = ['always', 'journey', 'never'] as const;

/** Of a request where a plan says none. */
export const DEFAULT_TIMEOUT_SECONDS = 120;

/** Versions of HTTP by their names in ALPN. */
export const PROTOCOLS = ['http/1.1', 'h2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
/** As many as servers allow, and far more than browsers use. */
const MOST_STREAMS = 1_000;

export const connectionsSchema = z.strictObject({
  /** What is spoken over them; left out, HTTP/1.1. `h2` to a target without TLS takes for granted that it knows HTTP/2. */
  protocol: z.enum(PROTOCOLS).optional(),
  /** How many of a load of connections share one connection of HTTP/2, each as a stream; left out, each has its own. */
  streams: z.int().min(1).max(MOST_STREAMS).optional(),
  /** How long a connection is used: as long as the server lets it, for one journey as a visitor would, or for one request. */
  reuse: z.enum(REUSES).default('always'),
  /** Until the connection stands, TLS included; left out, only the time limit of the request counts. */
  connectSeconds: z.number().positive().max(3_600).optional(),
  /** From the written request to the first byte of its answer. */
  firstByteSeconds: z.number().positive().max(3_600).optional(),
  /** Connect to this Unix socket instead of the target's host and port; its URL still gives the Host header and the path. */
  socketPath: z
    .string()
    .max(MAX_SOCKET_PATH_BYTES)
    .regex(/^\/[^\0]*[^\0/]$/, 'Enter the full path of the socket, beginning with /.')
    .optional(),
  /** Addresses of this machine that connections are made from, in turn; left out, the system chooses. */
  localAddresses: z.array(ipAddressSchema).min(1).max(256).optional(),
  /** Addresses that replace the system's addresses of a host: `HOST:PORT:ADDRESS`, with one entry for each address. */
  resolve: z
    .array(
      z
        .string()
        .max(320)
        .refine((text) => readPin(text) !== null, 'Enter host, port and IP address, for example shop.example:443:10.0.0.7.'),
    )
    .min(1)
    .max(100)
    .optional(),
});

/** Values that are made up, and a secret by its reference. */
const planVariableSchema = z.discriminatedUnion('kind', [
  ...variableSchema.options,
  z.strictObject({ kind: z.literal('secret'), secret: secretSchema.shape.secret }),
]);

const serversSchema = z.strictObject({
  /** Name of the header of an answer that names its server; left out where there is one only. */
  header: z
    .string()
    .max(100)
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'Enter the name of a header, for example X-Shard.')
    .optional(),
  /** How many there should be. */
  expected: z.int().min(1).max(10_000).optional(),
  /** What keeps their connections to the database: findings name its settings. */
  pool: poolSchema.optional(),
});

export const COOKIES = ['journey', 'user', 'ignore'] as const;

/**
 * Large schemas are exported under the names of their types: the compiler then writes the names into declarations. It would otherwise repeat all fields
 * wherever the schema is part of another, and compare them again in every project.
 */
const wholePlanSchema = z.strictObject({
  holdfast: z.literal(PLAN_VERSION),
  name: z.string().trim().min(1).max(120),
  /** One or two sentences that the report repeats. */
  story: z.string().max(2_000).default(''),
  /** Id of the preset that it was made from. */
  preset: z.string().max(60).optional(),
  /** How its questions were answered, to ask them again; references in place of secrets. */
  answers: z.record(z.string().max(60), z.union([z.string().max(20_000), z.number(), z.boolean()])).optional(),
  targets: z.array(targetSchema).min(1).max(64),
  /** Servers of their own that steps name by `target`: no load is divided among them. */
  namedTargets: z
    .record(targetNameSchema, namedTargetSchema)
    .refine((named) => Object.keys(named).length <= MAX_NAMED_TARGETS, `A plan has at most ${MAX_NAMED_TARGETS} named targets.`)
    .optional(),
  journey: z.array(stepSchema).min(1).max(MOST_STEPS),
  /** In which order steps are taken; left out, all of them as they stand. */
  flow: flowSchema.optional(),
  /** Hosts, with or without a port, of other servers that steps with `measured: false` may be sent to. */
  sideHosts: z.array(hostSchema).max(20).optional(),
  /** What `{{name}}` stands for in the steps, beside what they capture. */
  variables: z.record(valueNameSchema, planVariableSchema).optional(),
  /** Files whose columns are values of the steps: `{{feed.column}}`. */
  feeds: z.record(valueNameSchema, feedSchema).optional(),
  /** Whose cookies are kept: of a journey, of a user with all their journeys, or nobody's. Left out, it follows from the steps. */
  cookies: z.enum(COOKIES).optional(),
  load: loadSchema,
  /** What the real thing will ask for, to say how much of it is left in hand. */
  demand: demandSchema.optional(),
  /** Numbers that are read off beside the load, and whose growth is told. */
  watch: z.array(watchSchema).max(10).optional(),
  /** Pages that a real browser visits beside the load, to see what a visitor sees. */
  watchPages: watchPagesSchema.optional(),
  /** The host whose browser visits them, by its name in the list of hosts; left out, this computer. */
  watchFrom: hostNameSchema.optional(),
  /** What the target itself counts, read before the load and after it. */
  stored: z.array(storedSchema).max(10).optional(),
  /** Machines and services that are watched while a run goes, beside the computers that make its load. */
  monitors: monitorsSchema.optional(),
  /** How answers tell which of several servers behind an address gave them. */
  servers: serversSchema.optional(),
  /** Whether it is counted which answers came from a cache, as far as their headers say it. Left out: no header is looked at. */
  countsCache: z.boolean().optional(),
  objectives: z.array(objectiveSchema).max(50).default([]),
  safety: safetySchema.default({ errorWindowSeconds: 10 }),
  engine: z.enum(ENGINES).default('auto'),
  tls: tlsSchema.default({ verify: true }),
  connections: connectionsSchema.default({ reuse: 'always' }),
  /** Worker threads; left out, Holdfast chooses. */
  threads: z.int().min(1).max(64).optional(),
  /** What the loss of one of several generators means: the run goes on with less load, which is also what is done when this is left out, or it stops. */
  onLostGenerator: z.enum(['continue', 'stop']).optional(),
  /** How long a load on a host goes on without its connection, so that a new one can take it up: see `graceSecondsOf`. 0: it ends with it. */
  graceSeconds: z.number().min(0).max(600).optional(),
  /** Everything random in a run is derived from it, so that a run can be repeated. */
  seed: z.int().min(0).max(4_294_967_295).default(1),
  /** From connecting to the last byte. */
  timeoutSeconds: z.number().min(1).max(3_600).default(DEFAULT_TIMEOUT_SECONDS),
  /** How long unanswered requests are waited for when the load ends; left out, the time limit of a request. */
  drainSeconds: z.number().min(0).max(3_600).optional(),
  /** Send `User-Agent: Holdfast/x (run ID)`, so that the owner of a server can find and stop a test. */
  identify: z.boolean().default(true),
  /** For whom the limits speak, e.g. "750 participants": the verdict says that it holds or breaks for them. Empty: for nobody in particular. */
  claim: z.string().trim().max(120).default(''),
  /** What this plan exercises and what it does not, in the reader's words; the verdict repeats both. */
  exercises: z.array(z.string().max(200)).max(20).default([]),
  omits: z.array(z.string().max(200)).max(20).default([]),
  /** What a reader should look at in the result, and what it would mean. */
  lookAt: z.array(z.string().max(400)).max(20).default([]),
  /** What a run leaves on the target and how to remove it, in the reader's words: "One submission for each journey: …". */
  leavesBehind: z.array(z.string().max(300)).max(20).default([]),
  /** How the data that the plan needs are made on its target, and removed again. */
  populate: populateSchema.optional(),
});

/** A plan with every default filled in: what the app works with. */
export interface Plan extends z.output<typeof wholePlanSchema> {}
/** A plan as a person may write it. */
export interface PlanInput extends z.input<typeof wholePlanSchema> {}
export const planSchema: z.ZodType<Plan, PlanInput> = wholePlanSchema;
/** The schema of each field of a plan. */
export const planFields = wholePlanSchema.shape;
export type Target = Plan['targets'][number];
export type Safety = Plan['safety'];
