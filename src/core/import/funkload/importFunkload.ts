import { readAddress } from '../address.ts';
import { Draft, proposeUsers, type WrittenStep } from '../draft.ts';
import { refuse, type ImportResult } from '../imported.ts';
import { Configuration, readFetching, pageFields, type FetchSettings } from './configuration.ts';
import { buildLoad, readPauses, readThinkTime, lengthenPause, type Pauses } from './cycles.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { FIRST_ITEM_NOTE } from '../notes.ts';
import { Interpreter } from './python/interpreter.ts';
import { Program, PythonProblem } from './python/syntax.ts';
import { type Part, TestRequests } from './testRequests.ts';

const BENCH_SECTION_PATTERN = /^\[bench\]/m;
const TEST_CLASS_PATTERN = /^class\s+\w+\s*\([^)\n]*\)\s*:/m;
const FUNKLOAD_PATTERN = /\bFunkLoadTestCase\b|\bfrom\s+funkload\b/;
/** Matches line beginnings that only Python programs have. */
const TEST_BEGINNING = /^(?:#!.*python.*|#.*coding[:=].*|(?:import|from)\s+\w.*|"""|'''|class\s+\w+)/m;
const CONFIGURATION_BEGINNING = /^\[(?:main|bench|ftest|test_\w+|credential|monitor)\]/m;

/** Returns whether a text belongs to FunkLoad: a configuration with cycles in a section [bench], a test in Python, or both concatenated. */
export function isFunkload(text: string): boolean {
  return (
    (BENCH_SECTION_PATTERN.test(text) && /^cycles?[ \t]*[=:]/m.test(text)) || (FUNKLOAD_PATTERN.test(text) && TEST_CLASS_PATTERN.test(text))
  );
}

/** Makes a plan from a FunkLoad configuration, a test, or both in one text. Executes nothing. */
export function importFunkload(text: string): ImportResult {
  const { written, test } = splitSource(text);
  const draft = new Draft('funkload');
  const configuration = written === null ? null : new Configuration(written);
  const url = configuration?.get('main', 'url') ?? '';
  const address = readAddress(url);
  if (address === null && configuration !== null)
    return refuse(
      'NO_ADDRESS',
      'main.url',
      url === '' ? 'The configuration names no server.' : 'Its url is not an http or https address.',
      'Add url=http://… to the section [main].',
    );
  const pauses = configuration === null ? { afterPage: [0, 0] as const, afterTest: 0 } : readPauses(configuration);
  const context = { configuration, fetching: readFetching(configuration), pauses };
  const read = test === null ? null : readTest(draft, test, context);
  if (read !== null && 'why' in read)
    return refuse(
      'UNREAD_TEST',
      read.line === 0 ? '' : `line ${read.line}`,
      `The Python test cannot be read: ${read.why}.`,
      'Import the configuration alone and add the steps, or record them with a browser.',
      draft.notes,
    );
  if (configuration?.has('monitor') === true) draft.noteLeftOut('[monitor]', 'FunkLoad’s own monitors watch hosts.');
  if (read === null && address !== null) addMainPage(draft, address.path, context);
  const origin = read?.origin ?? address?.origin ?? null;
  if (origin === null)
    return refuse(
      'NO_ADDRESS',
      '',
      'The test takes the server from its configuration.',
      'Import both: holdfast import funkload NAME.conf test_NAME.py, or paste the test below the configuration.',
      draft.notes,
    );
  const agent = configuration?.get('main', 'user_agent') ?? null;
  const isInOrder =
    read === null || read.flow.every((part) => typeof part === 'string' && part === draft.steps[read.flow.indexOf(part)]?.name);
  return draft.finish({
    name: configuration?.get('main', 'title') ?? read?.name ?? 'FunkLoad test',
    story: configuration?.get('main', 'description') ?? '',
    targets: [{ url: `${origin}/`, ...(agent === null ? {} : { headers: { 'User-Agent': agent } }) }],
    load: configuration === null ? proposeUsers() : buildLoad(draft, configuration),
    settings: {
      cookies: 'journey',
      connections: { reuse: 'never' },
      ...(read === null || (isInOrder && read.flow.length === draft.steps.length) ? {} : { flow: read.flow }),
    },
  });
}

/** Splits a text into configuration and test, one of which may be missing. */
function splitSource(text: string): { readonly written: string | null; readonly test: string | null } {
  const hasTest = FUNKLOAD_PATTERN.test(text) && TEST_CLASS_PATTERN.test(text);
  const hasConfiguration = CONFIGURATION_BEGINNING.test(text);
  if (!hasTest) return { written: text, test: null };
  if (!hasConfiguration) return { written: null, test: text };
  const [configurationAt, testAt] = [text.search(CONFIGURATION_BEGINNING), text.search(TEST_BEGINNING)];
  return configurationAt < testAt
    ? { written: text.slice(0, testAt), test: text.slice(testAt) }
    : { written: text.slice(configurationAt), test: text.slice(0, configurationAt) };
}

/** Adds a request for the main page, because the real requests are in a separate test. */
function addMainPage(
  draft: Draft,
  path: string,
  {
    configuration,
    fetching,
    pauses,
  }: { readonly configuration: Configuration | null } & Record<'fetching', ReturnType<typeof readFetching>> &
    Record<'pauses', ReturnType<typeof readPauses>>,
): void {
  const tests = configuration?.names.filter((name) => name.startsWith('test_')) ?? [];
  draft.noteLeftOut(
    tests
      .map((name) => `[${name}]`)
      .join(' ')
      .slice(0, 120),
    'The requests are in a Python test outside this file.',
    'The plan requests the main page. Import the test with its configuration: holdfast import funkload NAME.conf test_NAME.py',
  );
  if (configuration?.has('credential') === true) draft.noteLeftOut('[credential]', 'Accounts come from a FunkLoad server.');
  const thinkTime = pauses.afterTest === 0 ? undefined : readThinkTime(pauses, pauses.afterTest);
  draft.addStep(
    { name: 'Main page', path, ...pageFields(fetching, { mayEndAtLogin: true }), ...(thinkTime === undefined ? {} : { thinkTime }) },
    'main.url',
  );
}

interface ReadTest {
  /** Origin, `http://host:port`; null if no request has a known server. */
  readonly origin: string | null;
  readonly flow: FlowPart[];
  /** Name of the test method. */
  readonly name: string;
}

/** The reason why a test cannot be read, and the line. */
interface UnreadTest {
  readonly line: number;
  readonly why: string;
}

/** Adds the requests of a FunkLoad test to a draft. Executes nothing. */
function readTest(
  draft: Draft,
  source: string,
  {
    configuration,
    fetching,
    pauses,
  }: { readonly configuration: Configuration | null; readonly fetching: FetchSettings; readonly pauses: Pauses },
): ReadTest | UnreadTest {
  const requests = new TestRequests({ draft, configuration, fetching, pauses });
  try {
    const interpreter = new Interpreter(new Program(source), requests);
    const name = chosenTest(draft, interpreter, configuration);
    if (name === null) return { line: 0, why: 'It has no method that begins with test' };
    for (const method of ['setUp', name, 'tearDown']) interpreter.callTest(method);
    const flow = addParts(draft, appendLastPause(allowLoginRedirects(requests.parts), pauses));
    return { origin: requests.origin, flow, name };
  } catch (thrown) {
    if (!(thrown instanceof PythonProblem)) throw thrown;
    return { line: thrown.line, why: thrown.message };
  }
}

/** Returns the first test that the configuration describes, or else the first test of the file. */
function chosenTest(draft: Draft, interpreter: Interpreter, configuration: Configuration | null): string | null {
  const all = interpreter.tests.flatMap(({ name, tests }) => tests.map((test) => ({ name, test })));
  const chosen = all.find(({ test }) => configuration?.has(test) === true) ?? all[0];
  if (chosen === undefined) return null;
  const others = [...new Set(all.map(({ test }) => test))].filter((test) => test !== chosen.test);
  if (others.length > 0)
    draft.noteLeftOut(
      others.join(', ').slice(0, 120),
      `The file has ${others.length + 1} tests.`,
      `${FIRST_ITEM_NOTE} For another one, leave only its method in the file.`,
    );
  interpreter.setClass(chosen.name);
  return chosen.test;
}

const LOGOUT_PATTERN = /log-?_?(out|off)|sign-?_?out/i;

/** Allows pages before the login and at the logout to redirect to the login page. */
function allowLoginRedirects(parts: readonly Part[]): Part[] {
  const login = parts.findIndex((part) => 'step' in part && Object.keys(part.step.form ?? {}).some((name) => isSecretField(name)));
  return parts.map((part, index) => {
    if (!('step' in part) || part.step.redirects === undefined) return part;
    if (index >= login && !LOGOUT_PATTERN.test(part.step.path ?? '')) return part;
    return { ...part, step: { ...part.step, redirects: { ...part.step.redirects, mayEndAtLogin: true } } };
  });
}

/** Adds the pause between two tests to the pause after the last page. */
function appendLastPause(parts: readonly Part[], pauses: Pauses): Part[] {
  const last = parts.at(-1);
  if (last === undefined || pauses.afterTest === 0) return [...parts];
  const before = parts.slice(0, -1);
  if ('step' in last) {
    const thinkTime = lengthenPause(last.step.thinkTime ?? readThinkTime(pauses), pauses.afterTest, pauses.afterTest);
    return [...before, { ...last, step: { ...last.step, thinkTime } }];
  }
  const once = appendLastPause(last.parts, pauses);
  if (last.repeat === 2) return [...before, ...last.parts, ...once];
  return [...before, { repeat: last.repeat - 1, parts: last.parts }, ...once];
}

/** Adds steps under unique names and returns the flow by these names. Equal requests share one step. */
function addParts(draft: Draft, parts: readonly Part[], known = new Map<string, string>()): FlowPart[] {
  return parts.flatMap((part): FlowPart[] => {
    if ('repeat' in part) {
      const flow = addParts(draft, part.parts, known);
      return flow.length === 0 ? [] : [{ repeat: part.repeat, flow }];
    }
    const name = addOnce(draft, part.step, part.line, known);
    return name === null ? [] : [name];
  });
}

function addOnce(draft: Draft, step: WrittenStep, line: number, known: Map<string, string>): string | null {
  const text = JSON.stringify(step);
  const before = known.get(text);
  if (before !== undefined) return before;
  const name = draft.addStep(step, `line ${line}`);
  if (name !== null) known.set(text, name);
  return name;
}
