import { HoldfastError } from '#core/base/errors.ts';
import { loadSentences } from '#core/work/load/loadWords.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';
import { TARGET_WITHOUT_SLASH, removeTrailingSlash } from '#core/work/journey/escape.ts';
import { namesOfStep, listUploadFolders } from '#core/work/journey/walked.ts';
import { type ExportedFile, listDuetNotes } from '../exported.ts';
import { secretNames } from '../secretNames.ts';
import { K6Draft, type K6ScriptOptions } from './draft.ts';
import { Expressions } from './expressions.ts';
import { type Features, writeFeatures } from './features.ts';
import { flowLines } from './flow.ts';
import { HELPER_NAMES, listHelpers } from './helpers.ts';
import { Code, uniqueIdentifier, formatOnOneLine, quote, formatValue } from './javaScript.ts';
import { type Memory, buildMemory, rowsConstant } from './memory.ts';
import { optionsCode } from './options.ts';
import { type Import, nameOfMs } from './planHelpers.ts';
import { targetHeaders } from './request.ts';
import { k6Load, UnsupportedByK6Error, cutStages } from './scenarios.ts';
import { indent, pauseCode, stepFunction, type StepWriting } from './steps.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import { DEFAULT_MAX_IN_FLIGHT } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import { USUAL_SECONDS } from './arrivalUsers.ts';

export type { K6ScriptOptions } from './draft.ts';

/** A k6 script (1.0 and later). */
export interface K6Export {
  readonly script: string;
  /** Files beside the script: rows of feeds and files to send. */
  readonly files: readonly ExportedFile[];
  /** Names of the environment variables that contain secrets. */
  readonly environment: readonly string[];
  /** Environment variables, each with the plan's reference to its secret. */
  readonly secrets: readonly { readonly name: string; readonly reference: string }[];
  /** Features that k6 lacks, and their workarounds. */
  readonly notes: readonly string[];
}

/** Names that the script uses for things other than steps. */
const RESERVED_NAMES = [
  ...'begin walk setup params count options values rows tags user server fetched taken own besides beside beganIn owedPause passedBells item jpegOf failedRequests successfulResponses pageDuration incompletePages'.split(
    ' ',
  ),
  // Names from k6's modules.
  ...'http exec check sleep fail open crypto randomBytes b64encode'.split(' '),
];

/**
 * Exports a plan as a k6 script. Each request has the tags `holdfast_step`, its index in `listRecordedRequests` of the plan, and
 * `holdfast_stage`, the index of its stage (`startUpStage` for an uncounted start-up). Secrets come from environment variables and are
 * never written. Throws a HoldfastError `NOT_IN_K6` for plans that k6 cannot run.
 */
export function k6Script(plan: Plan, options: K6ScriptOptions = {}): K6Export {
  refuseWhatCannotBe(plan, options);
  const draft = new K6Draft(plan, options);
  const features = writeFeatures(plan, buildLoad(plan));
  const taken = new Set([...RESERVED_NAMES, ...HELPER_NAMES]);
  const names = plan.journey.map(({ name }) =>
    uniqueIdentifier(/^(page)?apdex|^rounds?\d/i.test(name.replaceAll(' ', '')) ? `step ${name}` : name, taken, 'step'),
  );
  const writing: StepWriting = { draft, expressions: new Expressions(draft), features, names };
  const steps = plan.journey.flatMap(({ explains }, index) => (explains === undefined ? [stepFunction(writing, index)] : []));
  const backgroundSteps = plan.journey.flatMap(({ background }, index) =>
    background === undefined || !features.hasBackground
      ? []
      : [{ name: names[index] ?? '', everySeconds: background.everySeconds, after: background.after !== undefined }],
  );
  if (backgroundSteps.length > 0) draft.requireHelper('rest');
  const memory = buildMemory(draft, features, backgroundSteps);
  if (features.reportsStages) draft.requireHelper('stage');
  const journey = journeyCode(writing, memory);
  noteDifferences(draft, features);
  const settings = optionsCode(draft, features);
  const constants = constantsCode(draft, features);
  const functions = listHelpers(plan, features, draft.helpers);
  const parts = [
    settings,
    ...constants,
    ...memory.state,
    memory.begin,
    paramsCode(draft, features),
    journey,
    ...steps,
    ...functions.map(({ text }) => text),
  ];
  const body = parts.filter((part) => part !== null && part !== '').join('\n\n');
  const secrets = [...secretNames(plan)].map(([reference, name]) => ({ name, reference }));
  if (plan.tls.ca !== undefined) draft.files.push({ path: 'ca.pem', content: plan.tls.ca, encoding: 'utf8' });
  return {
    script: `${scriptHead(draft)}\n\n${importsCode(body, new Set(functions.flatMap(({ imports }) => imports ?? [])))}\n\n${body}\n`,
    files: draft.files,
    environment: [...new Set(secrets.map(({ name }) => name))],
    secrets,
    notes: draft.notes,
  };
}

function buildLoad(plan: Plan): Features['load'] {
  try {
    return k6Load(plan);
  } catch (thrown) {
    if (thrown instanceof UnsupportedByK6Error)
      throw refusal(thrown.message, 'End its stages by time (seconds), or export one stage at a time.');
    throw thrown;
  }
}

function refuseWhatCannotBe(plan: Plan, { uploads = {} }: K6ScriptOptions): void {
  if (plan.connections.protocol === 'h2' && listTargets(plan).some(({ url }) => url.startsWith('http:')))
    throw refusal('k6 uses HTTP/2 over TLS only.', 'Use https:// in the address, or HTTP/1.1.');
  if ((plan.connections.streams ?? 1) > 1) throw refusal('In k6, each VU has a connection of its own.', 'Remove connections.streams.');
  if (plan.connections.socketPath !== undefined)
    throw refusal(
      'k6 connects over the network only. The plan names a Unix socket.',
      'If the server also listens on a port, remove connections.socketPath.',
    );
  const paged = plan.journey.find(({ again }) => again !== undefined);
  if (paged !== undefined)
    throw refusal(`“${paged.name}” reads a list page by page, which the script does not.`, 'Remove again to export the first page.');
  const filled = plan.journey.find(({ captures }) => captures?.some(({ from }) => from === 'form'));
  if (filled !== undefined)
    throw refusal(`“${filled.name}” takes the form of its page, which the script does not.`, 'Capture its fields one by one.');
  for (const folder of listUploadFolders(plan)) {
    const within = `${folder.replace(/[/\\]+$/, '')}/`;
    if (!Object.keys(uploads).some((path) => path.startsWith(within)))
      throw refusal(
        `The files of the folder ${folder} are unknown, and k6 opens files by name only.`,
        'Export on the computer with the folder: holdfast export k6.',
      );
  }
}

function refusal(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'NOT_IN_K6', message, hint });
}

function scriptHead({ plan, notes }: K6Draft): string {
  const lines = [
    plan.name,
    ...(plan.story === '' ? [] : [plan.story]),
    '',
    ...loadSentences(plan),
    '',
    'Written by Holdfast. Run it: k6 run script.js',
    '',
    'Differences from Holdfast:',
    ...notes.map((note) => `- ${note}`),
  ];
  return lines.map((line) => (line === '' ? '//' : `// ${formatOnOneLine(line)}`)).join('\n');
}

function journeyCode(writing: StepWriting, memory: Memory): string {
  const { draft, features } = writing;
  const { load } = draft.plan;
  const pause = load.model === 'users' && load.thinkTime !== undefined ? pauseCode(load.thinkTime) : null;
  const begin = memory.begin === null ? [] : [memory.mayBeRefused ? 'if (!begin()) return;' : 'begin();'];
  const pace = load.model === 'users' ? load.paceSeconds : undefined;
  if (pause === null && pace === undefined) {
    const lines = flowLines(writing, 'return;');
    return `/** One journey. A step that returns false ends it. */\nexport default function () {\n${indent([...begin, ...lines])}\n}`;
  }
  const rest = features.hasEnd ? draft.requireHelper('rest') : 'sleep';
  const walking = [
    ...(pace === undefined ? [] : ['const begun = Date.now();']),
    pause === null ? 'walk();' : `if (!walk()) ${rest}(${pause});`,
    ...(pace === undefined ? [] : [`${rest}(Math.max(0, ${pace} - (Date.now() - begun) / 1000));`]),
  ];
  const lines = [...flowLines(writing, 'return false;'), 'return true;'];
  const about = pause === null ? '' : ' Users also pause after one that ended early.';
  return `/** One journey.${about} */
export default function () {
${indent([...begin, ...walking])}
}

/** Whether the journey was completed. A step that returns false ends it. */
function walk() {
${indent(lines)}
}`;
}

function constantsCode(draft: K6Draft, features: Features): string[] {
  const { plan } = draft;
  const metrics = [
    `/** Of all requests; the pass criteria of the plan use them. */\nconst failedRequests = new Rate('failed_requests');`,
    ...(features.countsGood ? [`const successfulResponses = new Counter('successful_responses');`] : []),
    ...features.apdexMs.map((maxMs) => `const apdex${nameOfMs(maxMs)} = new Trend('apdex_${nameOfMs(maxMs)}');`),
    ...(features.hasPages
      ? [`const pageDuration = new Trend('page_duration', true);`, `const incompletePages = new Rate('incomplete_pages');`]
      : []),
    ...features.pageApdexMs.map((maxMs) => `const pageApdex${nameOfMs(maxMs)} = new Trend('page_apdex_${nameOfMs(maxMs)}');`),
  ];
  const rows = rowsConstant(draft);
  const usesTargetPath = plan.journey.some((step) => namesOfStep(step).includes(TARGET_WITHOUT_SLASH));
  const servers = plan.targets.map((target) => ({
    url: target.url,
    origin: new URL(target.url).origin,
    ...(usesTargetPath ? { withoutSlash: removeTrailingSlash(target.url) } : {}),
    headers: targetHeaders(draft, target),
  }));
  return [
    metrics.join('\n'),
    ...headersConstant(draft),
    ...(plan.targets.length > 1 ? [`/** Users are assigned to them in turn. */\nconst SERVERS = ${formatValue(servers)};`] : []),
    scenariosCode(draft, features),
    ...(draft.constants.size === 0
      ? []
      : [
          `/** Contents to send, loaded at the start. */\n${[...draft.constants].map(([name, code]) => `const ${name} = ${code};`).join('\n')}`,
        ]),
    ...(draft.makesJpegs ? [JPEG_HELPER] : []),
    ...(draft.helpers.has('textForm') ? [`const BOUNDARY = 'holdfast-boundary-7d91c05e420';`] : []),
    ...(rows === null ? [] : [rows]),
    setupCode(draft),
    '// Any 2xx is successful unless a step expects something else.\nhttp.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }));',
  ].filter((code) => code !== '');
}

/** Returns the constant with the headers of the only target; none for several targets. */
function headersConstant(draft: K6Draft): string[] {
  const [only, ...others] = draft.plan.targets;
  if (only === undefined || others.length > 0) return [];
  const headers = targetHeaders(draft, only);
  return Object.keys(headers).length === 0
    ? []
    : [`/** Sent with every request to the target. */\nconst HEADERS = ${formatValue(headers)};`];
}

const JPEG_HELPER = `/** So many bytes with the beginning and the end of a JPEG. */
function jpegOf(length) {
  const bytes = new Uint8Array(randomBytes(length));
  bytes.set([0xff, 0xd8], 0);
  bytes.set([0xff, 0xd9], length - 2);
  return bytes.buffer;
}`;

/** Returns the table of scenario properties that k6 does not provide, limited to those that the script uses. */
function scenariosCode({ helpers, plan }: K6Draft, { load, needsUser, reportsStages }: Features): string {
  const isArrivals = plan.load.model === 'arrivals';
  const sequential = Object.values(plan.feeds ?? {}).some(({ order }) => order === 'sequential');
  const byJourney = load.scenarios.some(({ journeys }) => journeys.length > 0);
  const isTimed = [...helpers].some((name) => ['elapsed', 'isOver', 'rest', 'waitForBell'].includes(name)) || (reportsStages && !byJourney);
  const isDrawn = plan.flow !== undefined;
  const table = load.scenarios.map(({ name, begins, ends, first, users, stage, journeys }) => [
    name,
    {
      ...(isTimed ? { begins, ends: ends === null ? (isArrivals ? undefined : new Code('Infinity')) : ends } : {}),
      ...(isArrivals && needsUser ? { first } : {}),
      ...(!isArrivals && sequential ? { users } : {}),
      ...((byJourney || isDrawn) && stage !== null ? { stage } : {}),
      ...(byJourney && journeys.length > 0 ? { journeys: journeys.map((each) => ({ ...each })) } : {}),
    },
  ]);
  if (table.every(([, members]) => typeof members === 'object' && Object.keys(members).length === 0)) return '';
  const ends =
    reportsStages && !byJourney
      ? `\n/** Which stage of the plan requests belong to, until when in seconds. */\nconst STAGE_ENDS = ${formatValue(load.stageEnds.map((each) => ({ ...each })))};`
      : '';
  return `/** What k6 does not know about its scenarios; times in seconds from the start of the load. */\nconst SCENARIOS = ${formatValue(Object.fromEntries(table))};${ends}`;
}

function setupCode({ plan }: K6Draft): string {
  const names = [...new Set(secretNames(plan).values())];
  if (names.length === 0) return '';
  return `/** Ends the test before it begins if a secret is missing. */
export function setup() {
  const missing = ${formatValue(names)}.filter((name) => !__ENV[name]);
  if (missing.length > 0) fail(\`Set these environment variables: \${missing.join(', ')}\`);
}`;
}

function paramsCode({ plan }: K6Draft, { keeps, reportsStages }: Features): string {
  const stage = reportsStages ? ', holdfast_stage: String(stage())' : '';
  const jar = keeps === 'ignore' && plan.journey.length > 1 ? ' jar: new http.CookieJar(),' : '';
  return `/** Parameters of every request: the tags that identify its figures, and its time limit. */
function params(step, name, own = {}) {
  tags = { name, holdfast_step: String(step)${stage} };
  return { timeout: ${quote(`${plan.timeoutSeconds}s`)}, redirects: 0, tags,${jar} ...own };
}`;
}

const MODULES: readonly { readonly module: string; readonly names: readonly Import[] }[] = [
  { module: 'k6', names: ['check', 'fail', 'sleep'] },
  { module: 'k6/crypto', names: ['randomBytes'] },
  { module: 'k6/data', names: ['SharedArray'] },
  { module: 'k6/encoding', names: ['b64encode'] },
  { module: 'k6/metrics', names: ['Counter', 'Rate', 'Trend'] },
];

function importsCode(body: string, asked: ReadonlySet<Import>): string {
  const uses = (name: Import): boolean => asked.has(name) || new RegExp(`\\b${name}\\(|\\bnew ${name}\\b`).test(body);
  const named = MODULES.flatMap(({ module, names }) => {
    const used = names.filter(uses);
    return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${module}';`];
  });
  const exec = asked.has('exec') || body.includes('exec.') ? [`import exec from 'k6/execution';`] : [];
  return [...named.slice(0, 1), ...exec, `import http from 'k6/http';`, ...named.slice(1)].join('\n');
}

/** Adds notes about differences between k6 and the plan. */
function noteDifferences(draft: K6Draft, features: Features): void {
  const { plan } = draft;
  const { load, connections, tls } = plan;
  draft.note('k6 measures response times from sending, without the connection setup. Holdfast measures from the scheduled start.');
  for (const note of listDuetNotes(plan)) draft.note(note);
  const isDrawn =
    (load.model === 'arrivals' && load.spacing === 'poisson') ||
    Object.values(plan.feeds ?? {}).some(({ order }) => order === 'random') ||
    Object.values(plan.variables ?? {}).some(({ kind }) => kind === 'integer' || kind === 'item' || kind === 'uuid') ||
    plan.flow !== undefined ||
    JSON.stringify(plan).includes('"random"');
  if (isDrawn) draft.note('k6 draws new random values in every run. The seed of the plan has no effect.');
  if (load.model === 'arrivals' && load.spacing === 'poisson')
    draft.note('k6 spaces arrivals evenly. The plan uses random arrivals, which form queues sooner.');
  if (load.model === 'arrivals') draft.note('An arrival without a free VU is a dropped iteration in k6.');
  for (const { name, executor, responseSeconds } of features.load.scenarios)
    if (responseSeconds !== null && responseSeconds < USUAL_SECONDS)
      draft.note(
        `“${name}” begins with ${formatCount(Number(executor['preAllocatedVUs']))} VUs, enough for responses of ${formatSeconds(responseSeconds)} on average. For each further VU, k6 drops one arrival. If responses take longer, set preAllocatedVUs as high as the memory allows.`,
      );
  if (load.model === 'arrivals' && features.load.scenarios.length > 1 && load.maxInFlight < DEFAULT_MAX_IN_FLIGHT)
    draft.note('This limit applies to each stage separately. The last requests of the previous stage may still be in flight.');
  if (load.model !== 'arrivals' && load.stages.length > 1 && features.load.scenarios.length > 1)
    draft.note('Stages begin at fixed times, even with requests of the previous stage in flight.');
  for (const stage of cutStages(plan))
    draft.note(`“${stageName(plan, stage)}” ends with a whole journey and sends a few more requests than planned.`);
  if (features.load.scenarios.some(({ journeys }) => journeys.length > 0))
    draft.note(
      'Stages that end after a number of requests follow each other without a pause. The number of the journey identifies the stage.',
    );
  if (features.hasBackground) draft.note('Requests beside a journey are sent in its pauses and between its steps, not in parallel.');
  if (plan.journey.some(({ background }) => background !== undefined) && load.model === 'arrivals')
    draft.note('Arrivals send nothing beside their journeys.');
  if (plan.namedTargets !== undefined && plan.journey.some(({ redirects }) => redirects !== undefined))
    draft.note('A redirect from one target to another fails in the script.');
  if (features.hasSideCalls) draft.note('The totals of k6 include side calls. They have their own tags, and no criterion uses them.');
  for (const { name, explains } of plan.journey)
    if (explains !== undefined) draft.note(`“${name}” is left out: the script does not ask why “${explains.step}” failed.`);
  if (features.hasPages) draft.note('For a picture in several sizes, k6 fetches the one in src. It also fetches files inside templates.');
  if (plan.journey.some(({ resources }) => resources?.kinds.includes('css') === true))
    draft.note(
      'What style sheets ask for is left out: fonts, background pictures and imported sheets. The script does not read style sheets.',
    );
  const onceFeeds = Object.entries(plan.feeds ?? {}).flatMap(([name, { order }]) => (order === 'once' ? [`“${name}”`] : []));
  if (onceFeeds.length > 0)
    draft.note(
      `k6 does not know which rows of ${onceFeeds.join(', ')} are used up. Leave them out of the list, and let each user walk once.`,
    );
  const users = load.model === 'arrivals' ? [] : load.stages;
  if (users.length > 1 && Object.values(plan.feeds ?? {}).some(({ order }) => order === 'unique'))
    draft.note('k6 numbers its VUs across all stages. If two stages overlap and the list is short, two users may share a row.');
  if (connections.protocol !== 'h2' && listTargets(plan).some(({ url }) => url.startsWith('https:')))
    draft.note('k6 uses HTTP/2 if the server does. For HTTP/1.1, as in Holdfast, run it with GODEBUG=http2client=0.');
  if (connections.connectSeconds !== undefined || connections.firstByteSeconds !== undefined)
    draft.note(
      `k6 has one time limit for a whole request, ${formatNumber(plan.timeoutSeconds)} s. The limits for connecting and for the first byte are left out.`,
    );
  if (connections.localAddresses !== undefined)
    draft.note(`Run it with --local-ips=${connections.localAddresses.join(',')}. A script cannot set it.`);
  if (tls.serverName !== undefined)
    draft.note(`k6 uses the host of the address for TLS, not “${tls.serverName}”. Verifying the certificate may fail.`);
  if ((tls.resume ?? 0) > 0) draft.note('k6 makes a full TLS handshake for each connection. The share of resumed sessions is left out.');
  if (tls.ca !== undefined) draft.note('The trusted certificate authority is in ca.pem. Run it with SSL_CERT_FILE=ca.pem (on Linux).');
  if (plan.safety.maxSeconds !== undefined && features.load.scenarios.every(({ ends }) => ends !== null || load.model === 'arrivals'))
    draft.note('The time limit of the run is left out. The scenarios set their own durations.');
  const omittedFields = [
    ...(plan.monitors === undefined || plan.monitors.length === 0 ? [] : ['monitors']),
    ...(plan.watch === undefined ? [] : ['watch']),
    ...(plan.watchPages === undefined ? [] : ['watchPages']),
    ...(plan.servers === undefined ? [] : ['servers']),
    ...(plan.countsCache === true ? ['countsCache'] : []),
    ...(plan.trace === undefined ? [] : ['trace']),
    ...(plan.demand === undefined ? [] : ['demand']),
    ...(plan.populate === undefined ? [] : ['populate']),
  ];
  if (omittedFields.length > 0) draft.note(`What the plan says of ${omittedFields.join(', ')} is not part of the script.`);
  const secrets = secretNames(plan);
  if (secrets.size > 0) draft.note(`Secrets come from environment variables: ${[...new Set(secrets.values())].join(', ')}.`);
}
