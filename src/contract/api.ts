import { z } from 'zod';
import { agreedSchema, askSchema } from '#core/review/asks/ask.ts';
import { checkFindingSchema, hostChangeSchema, ROLES, settingChangeSchema } from '#core/machines/checks/finding.ts';
import { crawlBoundsSchema, crawlProgressSchema } from '#core/work/crawl/report.ts';
import { countedTableSchema, databaseRightsSchema } from '#core/presets/database.ts';
import { answersSchema, builtPlanSchema, presetSchema } from '#core/presets/schema.ts';
import { givenOptionsSchema, labSecretSchema } from '#core/base/lab/listing.ts';
import {
  hostNameSchema,
  hostReportSchema,
  hostSchema,
  generatorNamesSchema,
  MAX_LOAD_GENERATORS,
  addressSchema,
} from '#core/plan/schema/hosts.ts';
import { MAX_DRAWN, MIN_DRAWN_LENGTH } from '#core/import/recording/drawnTexts.ts';
import { issueSchema } from '#core/plan/issues.ts';
import { connectionsSchema, planSchema, targetSchema, tlsSchema } from '#core/plan/schema/plan.ts';
import { postgresUrlSchema } from '#core/plan/schema/url.ts';
import { populatePreviewSchema, populateStateSchema } from '#core/work/populate/state.ts';
import { POPULATE_MODES } from '#core/plan/schema/populate.ts';
import { PAPERS } from '#core/presentation/html/style.ts';
import { seriesHeadSchema, seriesResultSchema } from '#core/series/result.ts';
import { seriesDocumentSchema, seriesSchema } from '#core/plan/schema/series.ts';
import { searchDocumentSchema, searchHeadSchema, searchResultSchema } from '#core/search/result.ts';
import { tryReportSchema } from '#core/work/samples/tryPlan.ts';
import { selfTestProgressSchema, selfTestReportSchema } from '#core/measurement/selfTest/report.ts';
import { invitationStateSchema, joinedRunSchema } from './agent/invitation.ts';
import { foldLive } from './fold.ts';
import { call, stream } from './rpc/frames.ts';
import { noInput, runCalls, runId } from './runCalls.ts';
import {
  appInfoSchema,
  labServerSchema,
  liveSchema,
  probeSchema,
  recordedPlanSchema,
  recordingSchema,
  runRowSchema,
  thinkTimesSchema,
  SEARCH_FORMATS,
  SERIES_FORMATS,
  layoutOptions,
} from './replies.ts';

const seriesId = z.strictObject({ seriesId: z.string().min(1).max(40) });
const searchId = z.strictObject({ searchId: z.string().min(1).max(40) });
const recordingId = z.strictObject({ recordingId: z.string().min(1).max(60) });
const populateId = z.strictObject({ id: z.string().min(1).max(40) });
/** Maximum length of a kept file. UTF-8 may double its size in a frame. */
export const MAX_KEPT_CHARACTERS = 4_000_000;
const hostName = z.strictObject({ name: hostNameSchema });

/** A machine (null for this computer), its role in the load, and the plan to check it for (null for none). */
const checkedShape = {
  host: hostNameSchema.nullable().default(null),
  role: z.enum(ROLES).default('generator'),
  plan: planSchema.nullable().default(null),
  agreed: agreedSchema,
};

/** Maximum number of characters of a preset; presets are short texts. */
const MAX_PRESET_CHARACTERS = 1_000_000;

/** Connection settings of single requests, equal to those of the load. */
const wayShape = {
  agreed: agreedSchema,
  tls: tlsSchema.default({ verify: true }),
  connections: connectionsSchema.pick({ socketPath: true, localAddresses: true }).default({}),
};

/**
 * All calls of the backend. The contract is a value: both ends parse what they receive with it, and all types are inferred from it.
 */
export const calls = {
  'app.info': call(noInput, appInfoSchema),
  /** Returns the installed k6, or the problem that prevents its use. */
  'app.k6': call(
    noInput,
    z.strictObject({
      version: z.string().nullable(),
      problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
    }),
  ),
  'presets.list': call(noInput, z.array(presetSchema)),
  'presets.build': call(z.strictObject({ id: z.string(), answers: answersSchema, targets: z.array(targetSchema) }), builtPlanSchema),
  /** Ids of the presets that a person added. */
  'presets.added': call(noInput, z.array(z.string())),
  /** Reads a preset of somebody else without storing it. `asks`: what its test needs with default values, besides the server to test. */
  'presets.check': call(
    z.strictObject({ source: z.string().max(MAX_PRESET_CHARACTERS) }),
    z.strictObject({
      preset: presetSchema.nullable(),
      issues: z.array(issueSchema),
      /** Kind of the existing preset with the same id; null if there is none. */
      taken: z.enum(['shipped', 'added']).nullable(),
      asks: z.array(askSchema),
    }),
  ),
  /** Stores a preset of somebody else in the data directory. */
  'presets.add': call(
    z.strictObject({ source: z.string().max(MAX_PRESET_CHARACTERS), replaces: z.boolean().default(false) }),
    z.strictObject({ id: z.string() }),
  ),
  /** Removes an added preset, and returns its text for undo. */
  'presets.remove': call(z.strictObject({ id: z.string() }), z.strictObject({ source: z.string() })),
  'plans.parse': call(
    z.strictObject({ source: z.string().max(1_000_000) }),
    z.strictObject({ plan: planSchema.nullable(), issues: z.array(issueSchema) }),
  ),
  /** `asks`: all permissions that the plan needs; `open`: those not yet granted. Calls take granted permissions as `agreed`. */
  'plans.asks': call(
    z.strictObject({ plan: planSchema, series: seriesSchema.optional(), on: generatorNamesSchema.optional() }),
    z.strictObject({ asks: z.array(askSchema), open: z.array(askSchema) }),
  ),
  /**
   * Runs the journey once without counting, and returns each request with its response. Secrets are masked. `feedAt`: position of the first
   * row to use in each feed, from 0 for its first row to 1 for the last row that the load can use.
   */
  'plans.try': call(
    z.strictObject({ plan: planSchema, agreed: agreedSchema, feedAt: z.number().min(0).max(1).default(0) }),
    tryReportSchema,
  ),
  'targets.probe': call(z.strictObject({ target: targetSchema, path: z.string().max(2_048).default(''), ...wayShape }), probeSchema),
  /** Fills in the login form at `url` and keeps the cookies; `cookie` refers to them until the backend ends. */
  'targets.login': call(
    z.strictObject({ url: z.string(), username: z.string().max(200), password: z.string().max(1_000), ...wayShape }),
    z.strictObject({
      cookie: z.strictObject({ secret: z.string() }),
      cookieNames: z.array(z.string()),
      landedOn: z.string(),
      /** Origin that received the name and the password, if it is not the origin of `url`. The explanation names this origin, too. */
      movedTo: z.string().nullable(),
      explanation: z.string(),
    }),
  ),
  /** Logs in to a database once and returns whether its user may run the plan's queries. Changes nothing there. */
  'databases.rights': call(
    z.strictObject({ connection: postgresUrlSchema, counted: countedTableSchema.optional(), agreed: agreedSchema }),
    databaseRightsSchema,
  ),
  /** Copies a file selected in the app to the data directory and returns its path there. */
  'files.keep': call(
    z.strictObject({ name: z.string().min(1).max(300), text: z.string().max(MAX_KEPT_CHARACTERS) }),
    z.strictObject({ path: z.string() }),
  ),
  /** Keeps a secret in memory and returns a reference for a plan. */
  'secrets.keep': call(z.strictObject({ value: z.string().max(16_384) }), z.strictObject({ secret: z.string() })),
  /**
   * Checks a machine for a plan without changing it. Sends a request to the target if `asksTarget` is set or if every request opens its own
   * connection, because then the side that closes first matters.
   */
  'checks.machine': call(z.strictObject({ ...checkedShape, asksTarget: z.boolean().default(false) }), z.array(checkFindingSchema)),
  /**
   * Measures the bandwidth from a generator to the target of its plan, or between a host and this computer. Causes traffic up to
   * PATH_LIMITS in each direction: call only after informing the user. Later runs on this path report the result.
   */
  'checks.path': call(z.strictObject(checkedShape), checkFindingSchema),
  /** Applies the change of a finding. Call only after the user agreed to exactly this change. */
  'checks.apply': call(
    z.strictObject({ ...checkedShape, id: z.string().max(60), change: settingChangeSchema }),
    z.strictObject({ change: hostChangeSchema, finding: checkFindingSchema }),
  ),
  'checks.changes': call(noInput, z.array(hostChangeSchema)),
  'checks.revert': call(z.strictObject({ changeId: z.int() }), hostChangeSchema),
  ...runCalls,
  /** Starts a series. Its commands run only on hosts that allow commands. */
  'series.start': call(z.strictObject({ document: seriesDocumentSchema, agreed: agreedSchema }), seriesId),
  /** Ends the current run and starts no other; finished cells are kept. */
  'series.stop': call(seriesId, noInput),
  /** Continues an ended series with its unmeasured cells. Commands need the same permission as at the start. */
  'series.resume': call(z.strictObject({ seriesId: seriesId.shape.seriesId, agreed: agreedSchema }), seriesId),
  /** Removes the table of a series; the runs of its cells stay. */
  'series.remove': call(seriesId, noInput),
  /** Makes one table of series and single runs of one test. */
  'series.merge': call(
    z.strictObject({
      batches: z
        .array(z.union([seriesId, runId]))
        .min(2)
        .max(100),
    }),
    seriesResultSchema,
  ),
  'series.result': call(seriesId, seriesResultSchema),
  'series.list': call(
    z.strictObject({ limit: z.int().min(1).max(500).default(100), offset: z.int().min(0).default(0) }),
    z.strictObject({ series: z.array(seriesHeadSchema.extend({ done: z.int(), planned: z.int() })), total: z.int() }),
  ),
  'series.export': call(
    z.strictObject({ seriesId: seriesId.shape.seriesId, format: z.enum(SERIES_FORMATS), ...layoutOptions }),
    z.strictObject({ fileName: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  /** Called before the desktop app prints. Throws `PDF_WAITS` while a load is running. */
  'reports.mayPrint': call(noInput, noInput),
  /** Searches for a breaking point or characterizes a server, by runs that each depend on the previous results. */
  'searches.start': call(z.strictObject({ document: searchDocumentSchema, agreed: agreedSchema }), searchId),
  /** Ends the current run and starts no other; results are kept. */
  'searches.stop': call(searchId, noInput),
  /** Continues a search that waits until a person has reset the server. */
  'searches.goOn': call(searchId, noInput),
  /** Removes the result of a search; its runs stay. */
  'searches.remove': call(searchId, noInput),
  'searches.result': call(searchId, searchResultSchema),
  'searches.list': call(
    z.strictObject({ limit: z.int().min(1).max(500).default(100), offset: z.int().min(0).default(0) }),
    z.strictObject({ searches: z.array(searchHeadSchema.extend({ sentence: z.string() })), total: z.int() }),
  ),
  'searches.export': call(
    z.strictObject({ searchId: searchId.shape.searchId, format: z.enum(SEARCH_FORMATS), ...layoutOptions }),
    z.strictObject({ fileName: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  'hosts.list': call(noInput, z.array(hostSchema)),
  'hosts.add': call(z.strictObject({ host: hostSchema, replace: z.boolean().default(false) }), noInput),
  'hosts.remove': call(hostName, noInput),
  /** Connects and returns facts about the host. `HOST_KEY_UNKNOWN` and `HOST_SECRET_NEEDED` name the required next step. */
  'hosts.test': call(hostName, hostReportSchema),
  /** Downloads Node.js from npm and copies it to the host. Call only after the user agreed. */
  'hosts.installNode': call(hostName, z.strictObject({ version: z.string(), path: z.string(), bytes: z.int() })),
  /** Confirms the key last shown by a host. Accepts only the whole fingerprint. */
  'hosts.trust': call(z.strictObject({ keyName: z.string().max(300), fingerprint: z.string().max(100) }), noInput),
  /** Sends a secret that a host asked for. It is kept in memory and removed if the host rejects it. */
  'hosts.reply': call(
    z.strictObject({
      question: z.strictObject({
        kind: z.enum(['password', 'passphrase', 'prompt']),
        host: z.string().max(300),
        label: z.string().max(2_000),
      }),
      value: z.string().max(16_384),
    }),
    noInput,
  ),
  /**
   * Opens a port for computers that join one run of this plan, and withdraws an earlier invitation. `host`: the address of this computer in
   * the line; `port` 0: a free one. Throws `INVITATION_PORT` and `INVITE_UNFIT`.
   */
  'invites.open': call(
    z.strictObject({
      plan: planSchema,
      computers: z.int().min(1).max(MAX_LOAD_GENERATORS).default(1),
      host: addressSchema.nullable().default(null),
      port: z.int().min(0).max(65_535).default(0),
    }),
    invitationStateSchema,
  ),
  /** Closes the port and dismisses all computers that have joined. */
  'invites.withdraw': call(noInput, noInput),
  /** Connects to a computer that invited this one. The stream `joins.watch` reports the progress. */
  'joins.start': call(z.strictObject({ invitation: z.string().max(1_000) }), noInput),
  /** Agrees to send a part of the load, or else leaves the run and stops the load of this computer. */
  'joins.decide': call(z.strictObject({ agrees: z.boolean() }), noInput),
  /** Returns whether the feeds have enough rows, and the progress of created data. Sends nothing. */
  'populate.preview': call(z.strictObject({ plan: planSchema, agreed: agreedSchema }), populatePreviewSchema),
  /** Makes used rows of feeds with `order: once` available again, for example after a server reset. */
  'populate.reuseRows': call(z.strictObject({ plan: planSchema, agreed: agreedSchema }), noInput),
  /** Creates (or removes) the plan's data on its first target. Commands need the same permission as in a series. */
  'populate.start': call(
    z.strictObject({ plan: planSchema, mode: z.enum(POPULATE_MODES).default('create'), agreed: agreedSchema }),
    populateId,
  ),
  'populate.stop': call(populateId, noInput),
  /**
   * Opens a browser window on the backend's computer and records its requests. Only one recording at a time. Throws `NO_BROWSER`,
   * `NO_DISPLAY`, `RECORDING_GOING` or, for the account file, `FEED_UNUSABLE`; later failures are in the stream.
   */
  'recordings.start': call(
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).max(2_048),
      verify: z.boolean().default(true),
      /** A CSV file with the columns `username` and `password`; without it, all users share the recorded account. */
      accountsFile: z.string().min(1).max(4_096).optional(),
      /** Whether each account may be used only once, as in an exam. */
      accountsOnce: z.boolean().default(false),
      /** Entered texts that each journey replaces by new random ones. */
      unique: z.array(z.string().min(MIN_DRAWN_LENGTH).max(200)).max(MAX_DRAWN).default([]),
      agreed: agreedSchema,
    }),
    recordingId,
  ),
  'recordings.pause': call(recordingId, noInput),
  'recordings.resume': call(recordingId, noInput),
  /** Adds a remark at the current position. */
  'recordings.mark': call(z.strictObject({ recordingId: recordingId.shape.recordingId, text: z.string().trim().min(1).max(80) }), noInput),
  /** Removes the last action with its requests; neither window nor server changes. */
  'recordings.undo': call(recordingId, noInput),
  /**
   * Closes the window and creates a plan. The first time for a recording, Holdfast also runs the journey several times to find values that
   * differ between sessions. The recording is kept until `recordings.discard` or the next start, so another plan can be created.
   */
  'recordings.finish': call(
    z.strictObject({
      recordingId: recordingId.shape.recordingId,
      thinkTimes: thinkTimesSchema.default('recorded'),
      /** Whether a browser runs the journey during the load. */
      watches: z.boolean().default(false),
      /** If false, nothing is sent again, and values that change are recognized by their format only. */
      walks: z.boolean().default(true),
      withRecording: z.boolean().default(false),
    }),
    recordedPlanSchema,
  ),
  /**
   * Imports a recording of another program (HAR 1.2) like `recordings.finish`. `url`: the recorded server, to which requests may be sent.
   * Throws `NOTHING_RECORDED`.
   */
  'recordings.walkHar': call(
    z.strictObject({
      har: z.string().max(200_000_000),
      url: z.url({ protocol: /^https?$/ }).max(2_048),
      accountsFile: z.string().min(1).max(4_096).optional(),
      accountsOnce: z.boolean().default(false),
      agreed: agreedSchema,
    }),
    recordedPlanSchema,
  ),
  /** Closes the window and deletes the recording. */
  'recordings.discard': call(recordingId, noInput),
  /** Returns the latest self-test of this version on this computer, or null. */
  'selftest.last': call(noInput, z.strictObject({ report: selfTestReportSchema.nullable() })),
  /** Stops a crawl after the current page; its stream returns the results so far. */
  'sites.stopCrawl': call(z.strictObject({ crawlId: z.string().min(1).max(60) }), noInput),
  'lab.list': call(noInput, z.array(labServerSchema)),
  /** Omitted options have their defaults; options with paths are for the command line only. */
  'lab.start': call(z.strictObject({ name: z.string(), options: givenOptionsSchema.default({}) }), labServerSchema),
  'lab.stop': call(z.strictObject({ name: z.string() }), labServerSchema),
  /** Returns the hidden properties of a running practice server. */
  'lab.reveal': call(z.strictObject({ name: z.string() }), z.array(labSecretSchema)),
} as const;

/** All streams of the backend. */
export const streams = {
  /** Live state of a run until it ends. The first item is complete, with at most {@link MAX_LIVE_POINTS} points. */
  'runs.watch': stream(runId, liveSchema, foldLive),
  /** The active runs of this backend and other processes; sent at once and at each change. */
  'runs.active': stream(noInput, z.strictObject({ runs: z.array(runRowSchema) }), (_earlier, later) => later),
  /** The current table; sent at once and at each change, at most twice a second. Ends with the series. */
  'series.watch': stream(seriesId, seriesResultSchema, (_earlier, later) => later),
  /** The current result; sent at once and at each change, at most twice a second. Ends with the search. */
  'searches.watch': stream(searchId, searchResultSchema, (_earlier, later) => later),
  /** Progress of creating or removing data, sent at once and then at most four times a second. Ends with the work. */
  'populate.watch': stream(populateId, populateStateSchema, (_earlier, later) => later),
  /** The last invitation of computers, or null; sent at once and at each change. Ends when the reader closes it. */
  'invites.watch': stream(noInput, z.strictObject({ invitation: invitationStateSchema.nullable() }), (_earlier, later) => later),
  /** The last run of another computer that this one has joined, or null; sent at once and at each change. */
  'joins.watch': stream(noInput, z.strictObject({ run: joinedRunSchema.nullable() }), (_earlier, later) => later),
  /** The current recording or null; sent at once and at each change, at most twice a second. Ends when the reader closes it. */
  'recordings.watch': stream(noInput, z.strictObject({ recording: recordingSchema.nullable() }), (_earlier, later) => later),
  /**
   * The report of a run, a series or a search as PDF, printed by a browser on the backend's machine; the last item contains it. Stops when
   * the reader closes it.
   */
  'reports.pdf': stream(
    z.strictObject({ of: z.union([runId, seriesId, searchId]), paper: z.enum(PAPERS).default('A4'), onePage: layoutOptions.onePage }),
    z.strictObject({
      stage: z.enum(['reading', 'printing', 'done']),
      file: z.strictObject({ fileName: z.string(), mediaType: z.string(), base64: z.base64() }).nullable(),
    }),
    (_earlier, later) => later,
  ),
  /** Crawls a site as one user. Stops when the reader closes it; the last item contains the report, which is not stored. */
  'sites.crawl': stream(
    z.strictObject({
      /** Id chosen by the reader, for `sites.stopCrawl`. */
      crawlId: z.string().min(1).max(60).optional(),
      target: targetSchema,
      bounds: crawlBoundsSchema.default({ maxPages: 100, maxDepth: 5, maxSeconds: 120, resources: true }),
      ...wayShape,
    }),
    crawlProgressSchema,
    (_earlier, later) => later,
  ),
  /** Tests the measurement accuracy of this computer. Stops when the reader closes it; the last item has the report, which is stored. */
  'selftest.run': stream(z.strictObject({ quick: z.boolean().default(false) }), selfTestProgressSchema, (_earlier, later) => later),
} as const;

export type Calls = typeof calls;
export type Streams = typeof streams;
export type CallName = keyof Calls;
export type StreamName = keyof Streams;
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
export type CallOutput<N extends CallName> = z.output<Calls[N]['output']>;
export type StreamInput<N extends StreamName> = z.input<Streams[N]['input']>;
export type StreamItem<N extends StreamName> = z.output<Streams[N]['item']>;
