import { z } from 'zod';
import { agreedSchema, askSchema } from '#core/review/asks/ask.ts';
import { checkFindingSchema, hostChangeSchema, ROLES, settingChangeSchema } from '#core/machines/checks/finding.ts';
import { aspectSchema, comparisonSchema, STANDINGS } from '#core/comparison/schema.ts';
import { crawlBoundsSchema, crawlProgressSchema } from '#core/work/crawl/report.ts';
import { countedTableSchema, databaseRightsSchema } from '#core/presets/database.ts';
import { answersSchema, builtPlanSchema, presetSchema } from '#core/presets/schema.ts';
import { givenOptionsSchema, labSecretSchema } from '#core/base/lab/listing.ts';
import { hostNameSchema, hostReportSchema, hostSchema, placesSchema } from '#core/plan/schema/hosts.ts';
import { MOST_DRAWN, SHORTEST_DRAWN } from '#core/import/recording/drawnTexts.ts';
import { issueSchema } from '#core/plan/issues.ts';
import { connectionsSchema, planSchema, targetSchema, tlsSchema } from '#core/plan/schema/plan.ts';
import { postgresUrlSchema } from '#core/plan/schema/url.ts';
import { populatePreviewSchema, populateStateSchema } from '#core/work/populate/state.ts';
import { POPULATE_MODES } from '#core/plan/schema/populate.ts';
import { distributionSchema } from '#core/result/distribution.ts';
import { pointSchema, resultSchema } from '#core/result/schema.ts';
import { PAPERS } from '#core/presentation/html/style.ts';
import { seriesHeadSchema, seriesResultSchema } from '#core/series/result.ts';
import { seriesDocumentSchema, seriesSchema } from '#core/plan/schema/series.ts';
import { searchDocumentSchema, searchHeadSchema, searchResultSchema } from '#core/search/result.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';
import { tryReportSchema } from '#core/work/samples/tryPlan.ts';
import { selfTestProgressSchema, selfTestReportSchema } from '#core/measurement/selfTest/report.ts';
import { foldLive } from './fold.ts';
import { call, stream } from './rpc/frames.ts';
import {
  appInfoSchema,
  baselineSchema,
  labServerSchema,
  liveSchema,
  probeSchema,
  recordedPlanSchema,
  recordingSchema,
  runRowSchema,
  thinkTimesSchema,
} from './replies.ts';

/**
 * Everything a screen, the command line or a test may ask of the backend. The contract is a value: both ends parse what they
 * receive with it, and all types are inferred from it.
 */

const runId = z.strictObject({ runId: z.string().min(1).max(40) });
const seriesId = z.strictObject({ seriesId: z.string().min(1).max(40) });
const searchId = z.strictObject({ searchId: z.string().min(1).max(40) });
/** How a report that is printed is laid out; JSON and CSV have no pages. */
const laidOut = {
  paper: z.enum(PAPERS).optional(),
  /** Only the answer, on a single page. */
  onePage: z.boolean().optional(),
};
const recordingId = z.strictObject({ recordingId: z.string().min(1).max(60) });
const populateId = z.strictObject({ id: z.string().min(1).max(40) });
const nothing = z.strictObject({});
/** What a run, a search and a series can be saved as. */
export const RUN_FORMATS = [
  'json',
  'csv',
  'steps',
  'ab',
  'jmeter',
  'cycles',
  'text',
  'summary',
  'html',
  'markdown',
  'junit',
  'hlog',
] as const;
export const SEARCH_FORMATS = ['json', 'html', 'markdown'] as const;
export const SERIES_FORMATS = ['json', 'csv', 'html', 'markdown', 'junit'] as const;
/** A day in seconds, with a few columns. */
const MOST_GRAPH_LETTERS = 4_000_000;
/** A frame has at most twice as many bytes. */
export const MAX_KEPT_CHARACTERS = 4_000_000;
/** What a comparison may hold. */
export const MOST_SIDES = 8;
const MOST_RUNS_OF_A_SIDE = 100;
const hostName = z.strictObject({ name: hostNameSchema });

/** A machine (null: this computer), what it is for the load, and the plan that it is looked at for (null: none). */
const checkedShape = {
  host: hostNameSchema.nullable().default(null),
  role: z.enum(ROLES).default('generator'),
  plan: planSchema.nullable().default(null),
  agreed: agreedSchema,
};

/** How single requests reach a target: as the plan's load will. */
const wayShape = {
  agreed: agreedSchema,
  tls: tlsSchema.default({ verify: true }),
  connections: connectionsSchema.pick({ socketPath: true, localAddresses: true }).default({}),
};

export const calls = {
  'app.info': call(nothing, appInfoSchema),
  /** The installed k6, for plans that it is to run; what keeps it from being used. */
  'app.k6': call(
    nothing,
    z.strictObject({
      version: z.string().nullable(),
      problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
    }),
  ),
  'presets.list': call(nothing, z.array(presetSchema)),
  'presets.build': call(z.strictObject({ id: z.string(), answers: answersSchema, targets: z.array(targetSchema) }), builtPlanSchema),
  'plans.parse': call(
    z.strictObject({ source: z.string().max(1_000_000) }),
    z.strictObject({ plan: planSchema.nullable(), issues: z.array(issueSchema) }),
  ),
  /** `asks`: everything that the plan asks for; `open`: what of it nobody has agreed to before. Calls take what a person agrees to as `agreed`. */
  'plans.asks': call(
    z.strictObject({ plan: planSchema, series: seriesSchema.optional(), on: placesSchema.optional() }),
    z.strictObject({ asks: z.array(askSchema), open: z.array(askSchema) }),
  ),
  /** Walks its journey once, uncounted, and shows each request with its answer. Secrets are masked. */
  /** `feedAt`: the row that each feed begins with, from 0 for the first to 1 for the last. */
  'plans.try': call(
    z.strictObject({ plan: planSchema, agreed: agreedSchema, feedAt: z.number().min(0).max(1).default(0) }),
    tryReportSchema,
  ),
  'targets.probe': call(z.strictObject({ target: targetSchema, path: z.string().max(2_048).default(''), ...wayShape }), probeSchema),
  /** Fills in the login form found at `url` and keeps the cookies; `cookie` refers to them and lives as long as the backend. */
  'targets.login': call(
    z.strictObject({ url: z.string(), username: z.string().max(200), password: z.string().max(1_000), ...wayShape }),
    z.strictObject({
      cookie: z.strictObject({ secret: z.string() }),
      cookieNames: z.array(z.string()),
      landedOn: z.string(),
      /** The origin that name and password went to where that is not the one of `url`; it stands in the explanation too. */
      movedTo: z.string().nullable(),
      explanation: z.string(),
    }),
  ),
  /** Enters a database once and says what its user may: whether a run could look into it as a plan would. Only reads. */
  'databases.rights': call(
    z.strictObject({ connection: postgresUrlSchema, counted: countedTableSchema.optional(), agreed: agreedSchema }),
    databaseRightsSchema,
  ),
  /** Copies a file that was chosen in the app into the data directory. Returns its path there. */
  'files.keep': call(
    z.strictObject({ name: z.string().min(1).max(300), text: z.string().max(MAX_KEPT_CHARACTERS) }),
    z.strictObject({ path: z.string() }),
  ),
  /** Keeps a secret in memory only and returns what a plan may hold instead. */
  'secrets.keep': call(z.strictObject({ value: z.string().max(16_384) }), z.strictObject({ secret: z.string() })),
  /**
   * Reads what a machine is like and judges it for a plan. Changes nothing. A request to the target is sent when `asksTarget`, or when every request
   * of the plan has a connection of its own: then it matters who closes first.
   */
  'checks.machine': call(z.strictObject({ ...checkedShape, asksTarget: z.boolean().default(false) }), z.array(checkFindingSchema)),
  /**
   * Measures the bandwidth of a way: from a generator to the target of its plan, else between a host and this computer. That makes traffic, up to
   * PATH_LIMITS each way: call it only when the person has been told so. Runs over that way tell what it came to.
   */
  'checks.path': call(z.strictObject(checkedShape), checkFindingSchema),
  /** Makes the change that a finding advises. Call it only when the person has agreed to exactly this change. */
  'checks.apply': call(
    z.strictObject({ ...checkedShape, id: z.string().max(60), change: settingChangeSchema }),
    z.strictObject({ change: hostChangeSchema, finding: checkFindingSchema }),
  ),
  /** Changes that were made and not taken back, of all machines. */
  'checks.changes': call(nothing, z.array(hostChangeSchema)),
  'checks.revert': call(z.strictObject({ changeId: z.int() }), hostChangeSchema),
  /** `on` left out: from this computer alone. */
  'runs.start': call(
    z.strictObject({
      plan: planSchema,
      on: placesSchema.optional(),
      agreed: agreedSchema,
    }),
    runId,
  ),
  'runs.stop': call(runId, nothing),
  'runs.list': call(
    z.strictObject({
      search: z.string().max(200).default(''),
      preset: z.string().optional(),
      outcome: z.string().optional(),
      limit: z.int().min(1).max(500).default(100),
      offset: z.int().min(0).default(0),
    }),
    z.strictObject({ runs: z.array(runRowSchema), total: z.int() }),
  ),
  /** Of each run the runs of its name against its target until then, oldest first, itself the last, with their `p95Ms`. */
  'runs.trends': call(
    z.strictObject({ runIds: z.array(runId.shape.runId).max(500) }),
    z.array(z.strictObject({ runId: z.string(), runIds: z.array(z.string()), p95Ms: z.array(runRowSchema.shape.p95Ms) })),
  ),
  'runs.result': call(z.strictObject({ runId: runId.shape.runId, maxPoints: z.int().min(10).max(100_000).optional() }), resultSchema),
  'runs.points': call(z.strictObject({ runId: runId.shape.runId, maxPoints: z.int().min(10).max(100_000) }), z.array(pointSchema)),
  /** How its times are spread, over all of it and second by second. */
  'runs.distribution': call(runId, distributionSchema),
  /** Brings a finished run of k6 from Prometheus into the history. `run`: name of the TestRun, or what the tag `testid` says. */
  'runs.importK6': call(
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      run: z.string().min(1).max(200),
      plan: planSchema,
      days: z.int().min(1).max(400),
    }),
    runId,
  ),
  'runs.rename': call(z.strictObject({ runId: runId.shape.runId, name: z.string().trim().min(1).max(120) }), nothing),
  'runs.note': call(z.strictObject({ runId: runId.shape.runId, note: z.string().max(10_000) }), nothing),
  'runs.remove': call(runId, nothing),
  /** Takes a `runs.remove` back; possible until the backend next starts. */
  'runs.restore': call(runId, nothing),
  /** The first failures of each kind, with what was sent and what came back. Secrets are masked. */
  'runs.samples': call(runId, z.array(sampleSchema)),
  /** Lays what another program has measured, in its CSV file, on the time axis of a run that has ended. */
  'monitors.attachGraph': call(
    z.strictObject({
      runId: runId.shape.runId,
      name: z.string().trim().min(1).max(120),
      text: z.string().max(MOST_GRAPH_LETTERS),
      /** Of times that do not say their own. */
      zone: z.string().max(60).nullable().default(null),
      /** In place of a graph of the same name. */
      replace: z.boolean().default(false),
    }),
    z.strictObject({ columns: z.array(z.string()), leftOut: z.array(z.string()), rows: z.int(), rowsOutside: z.int() }),
  ),
  'runs.export': call(
    z.strictObject({
      runId: runId.shape.runId,
      format: z.enum(RUN_FORMATS),
      ...laidOut,
      /** Of the terminal that a text is for. */
      columns: z.int().min(20).max(1_000).optional(),
    }),
    z.strictObject({ fileName: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  /** Each side beside the first one; its runs are repeats of the same thing. `asked`: what was changed on purpose, null where nobody says. */
  'comparisons.make': call(
    z.strictObject({
      sides: z
        .array(
          z.strictObject({
            name: z.string().trim().min(1).max(120).optional(),
            runIds: z.array(runId.shape.runId).min(1).max(MOST_RUNS_OF_A_SIDE),
          }),
        )
        .min(2)
        .max(MOST_SIDES),
      asked: aspectSchema.nullable().default(null),
    }),
    comparisonSchema,
  ),
  /** Runs of one question at one target, and of one cell; a run of a series stands for all repeats of its cell. Takes the place of the baseline before. */
  'baselines.set': call(
    z.strictObject({ runIds: z.array(runId.shape.runId).min(1).max(MOST_RUNS_OF_A_SIDE) }),
    z.strictObject({ runIds: z.array(z.string()) }),
  ),
  /** Takes back the baseline of the question and target of this run; tells which runs it was, so that it can be set again. */
  'baselines.remove': call(runId, z.strictObject({ runIds: z.array(z.string()) })),
  'baselines.list': call(nothing, z.strictObject({ baselines: z.array(baselineSchema) })),
  /** A run and its repeats beside their baseline: `comparison` is null where there is none, the run is part of it, or came before it. */
  'baselines.compare': call(
    runId,
    z.strictObject({ baseline: baselineSchema.nullable(), isPart: z.boolean(), comparison: comparisonSchema.nullable() }),
  ),
  /** How runs stand to their baselines; those without one are left out. */
  'baselines.standings': call(
    z.strictObject({ runIds: z.array(runId.shape.runId).max(500) }),
    z.strictObject({
      standings: z.array(z.strictObject({ runId: z.string(), standing: z.enum(STANDINGS), sentence: z.string() })),
    }),
  ),
  /** Commands run only where their host allows it. */
  'series.start': call(z.strictObject({ document: seriesDocumentSchema, agreed: agreedSchema }), seriesId),
  /** What is going is ended, and nothing further begins; finished cells are kept. */
  'series.stop': call(seriesId, nothing),
  /** Goes on with the cells that are not measured, of one that ended early. Commands as at its start. */
  'series.resume': call(z.strictObject({ seriesId: seriesId.shape.seriesId, agreed: agreedSchema }), seriesId),
  /** Takes its table away; the runs of its cells stay. */
  'series.remove': call(seriesId, nothing),
  /** Several series of one test, run at different times, as one table. */
  'series.merge': call(z.strictObject({ seriesIds: z.array(seriesId.shape.seriesId).min(2).max(20) }), seriesResultSchema),
  'series.result': call(seriesId, seriesResultSchema),
  'series.list': call(
    z.strictObject({ limit: z.int().min(1).max(500).default(100), offset: z.int().min(0).default(0) }),
    z.strictObject({ series: z.array(seriesHeadSchema.extend({ done: z.int(), planned: z.int() })), total: z.int() }),
  ),
  'series.export': call(
    z.strictObject({ seriesId: seriesId.shape.seriesId, format: z.enum(SERIES_FORMATS), ...laidOut }),
    z.strictObject({ fileName: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  /** Before the desktop prints by itself. Throws `PDF_WAITS` while a load goes. */
  'reports.mayPrint': call(nothing, nothing),
  /** Looks for a breaking point, or for what a server is, by runs of which each is chosen by what the ones before have shown. */
  'searches.start': call(z.strictObject({ document: searchDocumentSchema, agreed: agreedSchema }), searchId),
  /** What is going is ended, and nothing further begins; what was found out stays. */
  'searches.stop': call(searchId, nothing),
  /** Takes its answer away; its runs stay. */
  'searches.remove': call(searchId, nothing),
  'searches.result': call(searchId, searchResultSchema),
  'searches.list': call(
    z.strictObject({ limit: z.int().min(1).max(500).default(100), offset: z.int().min(0).default(0) }),
    z.strictObject({ searches: z.array(searchHeadSchema.extend({ sentence: z.string() })), total: z.int() }),
  ),
  'searches.export': call(
    z.strictObject({ searchId: searchId.shape.searchId, format: z.enum(SEARCH_FORMATS), ...laidOut }),
    z.strictObject({ fileName: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  'hosts.list': call(nothing, z.array(hostSchema)),
  'hosts.add': call(z.strictObject({ host: hostSchema, replace: z.boolean().default(false) }), nothing),
  'hosts.remove': call(hostName, nothing),
  /** Connects and asks it about itself. `HOST_KEY_UNKNOWN` and `HOST_SECRET_NEEDED` say what has to be done first. */
  'hosts.test': call(hostName, hostReportSchema),
  /** Fetches Node from npm and copies it there. Call it only when the person has agreed. */
  'hosts.installNode': call(hostName, z.strictObject({ version: z.string(), path: z.string(), bytes: z.int() })),
  /** Confirms the key that a host has shown last; only that key, and only by its whole fingerprint. */
  'hosts.trust': call(z.strictObject({ keyName: z.string().max(300), fingerprint: z.string().max(100) }), nothing),
  /** Answers what a host asks for. It is kept in memory, and forgotten when the host refuses it. */
  'hosts.answer': call(
    z.strictObject({
      question: z.strictObject({
        kind: z.enum(['password', 'passphrase', 'prompt']),
        host: z.string().max(300),
        label: z.string().max(2_000),
      }),
      value: z.string().max(16_384),
    }),
    nothing,
  ),
  /** Whether a plan's feeds have the rows that it needs, and how far its data are made. Sends nothing. */
  'populate.preview': call(z.strictObject({ plan: planSchema, agreed: agreedSchema }), populatePreviewSchema),
  /** Rows of the plan’s lists that may be used once may be used again, as after its server was reset. */
  'populate.reuseRows': call(z.strictObject({ plan: planSchema, agreed: agreedSchema }), nothing),
  /** Makes (or removes) what the plan needs on its first target. Commands as for a series. */
  'populate.start': call(
    z.strictObject({
      plan: planSchema,
      mode: z.enum(POPULATE_MODES).default('create'),
      agreed: agreedSchema,
    }),
    populateId,
  ),
  'populate.stop': call(populateId, nothing),
  /**
   * Opens a browser window on the computer of the backend and records what is sent in it. One at a time: another one that has not ended is an error.
   * Throws `NO_BROWSER`, `NO_DISPLAY`, `RECORDING_GOING` or, for the file of accounts, `FEED_UNUSABLE`; what fails later is in the stream.
   */
  'recordings.start': call(
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).max(2_048),
      verify: z.boolean().default(true),
      /** A CSV file with the columns `username` and `password`; left out, all users are the recorded account. */
      accountsFile: z.string().min(1).max(4_096).optional(),
      /** Whether an account may be used once, as for an exam. */
      accountsOnce: z.boolean().default(false),
      /** Texts that will be entered and that each journey draws anew. */
      unique: z.array(z.string().min(SHORTEST_DRAWN).max(200)).max(MOST_DRAWN).default([]),
      agreed: agreedSchema,
    }),
    recordingId,
  ),
  'recordings.pause': call(recordingId, nothing),
  'recordings.resume': call(recordingId, nothing),
  /** A remark at this place. */
  'recordings.mark': call(z.strictObject({ recordingId: recordingId.shape.recordingId, text: z.string().trim().min(1).max(80) }), nothing),
  /** Takes the last action back with its requests; neither the window nor the server goes back. */
  'recordings.undo': call(recordingId, nothing),
  /**
   * Closes the window, if it is open, and makes a plan. Holdfast then walks its journey by itself, some times, to find the values that are others in each session;
   * it does so once for a recording. The recording is kept until `recordings.discard` or the next start, so that another plan can be made.
   */
  'recordings.finish': call(
    z.strictObject({
      recordingId: recordingId.shape.recordingId,
      thinkTimes: thinkTimesSchema.default('recorded'),
      /** Whether the plan has a browser take the journey beside its load. */
      watches: z.boolean().default(false),
      /** False: nothing is sent again, and values are found by what they look like alone. */
      walks: z.boolean().default(true),
      withRecording: z.boolean().default(false),
    }),
    recordedPlanSchema,
  ),
  /** Walks a recording of another program (HAR 1.2), as `recordings.finish` does. `url`: the server that it is of, which may be asked. Throws `NOTHING_RECORDED`. */
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
  /** Closes the window and forgets what was recorded. */
  'recordings.discard': call(recordingId, nothing),
  /** The newest self-test of this machine by this version; null when there was none. */
  'selftest.last': call(nothing, z.strictObject({ report: selfTestReportSchema.nullable() })),
  /** Ends a walk over a site at the page that it is at; its stream brings what was found until then. */
  'sites.stopCrawl': call(z.strictObject({ crawlId: z.string().min(1).max(60) }), nothing),
  'lab.list': call(nothing, z.array(labServerSchema)),
  /** Options left out have their default; those that name a path are for the command line only. */
  'lab.start': call(z.strictObject({ name: z.string(), options: givenOptionsSchema.default({}) }), labServerSchema),
  'lab.stop': call(z.strictObject({ name: z.string() }), labServerSchema),
  /** What a running practice server kept back. */
  'lab.reveal': call(z.strictObject({ name: z.string() }), z.array(labSecretSchema)),
} as const;

/** Calls that read whole results: their answers may be large and take long to make, so a thread of the backend's own makes and writes them. */
export const RESULT_CALLS = [
  'runs.result',
  'runs.points',
  'runs.distribution',
  'runs.export',
  'comparisons.make',
  'baselines.compare',
  'baselines.standings',
  'series.export',
  'searches.export',
] as const satisfies readonly (keyof typeof calls)[];

export const streams = {
  /** Ends when the run has ended. Starts with a full picture: all points, at most {@link MAX_LIVE_POINTS}. */
  'runs.watch': stream(runId, liveSchema, foldLive),
  /** Ids of the runs that are going now in this backend or in another process; sent at once and at each change. */
  'runs.active': stream(nothing, z.strictObject({ runs: z.array(runRowSchema) }), (_earlier, later) => later),
  /** The table so far, at once and at each change, at most twice a second; ends when the series has ended. */
  'series.watch': stream(seriesId, seriesResultSchema, (_earlier, later) => later),
  /** What is known so far, at once and at each change, at most twice a second; ends when the search has ended. */
  'searches.watch': stream(searchId, searchResultSchema, (_earlier, later) => later),
  /** How far it is, at once and at most four times a second; ends with it. */
  'populate.watch': stream(populateId, populateStateSchema, (_earlier, later) => later),
  /** The recording as it is, at once and at each change, at most twice a second; null where there is none. It ends when the reader leaves. */
  'recordings.watch': stream(nothing, z.strictObject({ recording: recordingSchema.nullable() }), (_earlier, later) => later),
  /**
   * The report of a run, a series or a search as PDF, printed by a browser of the machine that the backend is on; the last item carries it. It stops when
   * the reader leaves.
   */
  'reports.pdf': stream(
    z.strictObject({ of: z.union([runId, seriesId, searchId]), paper: z.enum(PAPERS).default('A4'), onePage: laidOut.onePage }),
    z.strictObject({
      stage: z.enum(['reading', 'printing', 'done']),
      file: z.strictObject({ fileName: z.string(), mediaType: z.string(), base64: z.base64() }).nullable(),
    }),
    (_earlier, later) => later,
  ),
  /** Walks over a site as one visitor. It stops when the reader leaves; the last item carries the report, of which nothing is stored. */
  'sites.crawl': stream(
    z.strictObject({
      /** Chosen by the reader, for `sites.stopCrawl`. */
      crawlId: z.string().min(1).max(60).optional(),
      target: targetSchema,
      bounds: crawlBoundsSchema.default({ maxPages: 100, maxDepth: 5, maxSeconds: 120, resources: true }),
      ...wayShape,
    }),
    crawlProgressSchema,
    (_earlier, later) => later,
  ),
  /** Tests this machine's own measuring. It stops when the reader leaves; the last item carries the report, which is stored. */
  'selftest.run': stream(z.strictObject({ quick: z.boolean().default(false) }), selfTestProgressSchema, (_earlier, later) => later),
} as const;

export type Calls = typeof calls;
export type Streams = typeof streams;
export type CallName = keyof Calls;
export type ResultCallName = (typeof RESULT_CALLS)[number];
export type StreamName = keyof Streams;
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
export type CallOutput<N extends CallName> = z.output<Calls[N]['output']>;
export type StreamInput<N extends StreamName> = z.input<Streams[N]['input']>;
export type StreamItem<N extends StreamName> = z.output<Streams[N]['item']>;
