import { parse, type Program } from 'acorn';
import { Draft, withoutNulls, buildFlow } from '../draft.ts';
import { type ImportResult, joinListed, refuse } from '../imported.ts';
import { valueAtPath, entriesAt, numberAt, textAt } from '../reading.ts';
import { Interpreter } from './interpreter.ts';
import { loadIn, readCriteria } from './load.ts';
import { Requests } from './requests.ts';
import { readConstant, UNDEFINED_VALUE, type Value } from './values.ts';
import { LEFT_OUT_NOTE } from '../notes.ts';

const MAX_LENGTH = 1_000_000;
const K6_IMPORT_PATTERN =
  /^[ \t]*import\b[^\n]*["']k6(?:\/[\w./-]+)?["']|^[ \t]*\}\s*from\s+["']k6(?:\/[\w./-]+)?["']|require\(["']k6(?:\/[\w./-]+)?["']\)/m;

/** Returns whether a text is a k6 script: it imports a k6 module outside single-line comments. */
export function isK6(text: string): boolean {
  return K6_IMPORT_PATTERN.test(text.slice(0, MAX_LENGTH));
}

/** Matches options that are read elsewhere, have no effect on the load, or correspond to what plans always do. */
const IGNORED_OPTION_PATTERN =
  /^(?:vus|duration|iterations|stages|scenarios|thresholds|insecureSkipTLSVerify|userAgent|maxRedirects|noConnectionReuse|noVUConnectionReuse|summaryTrendStats|summaryTimeUnit|tags|systemTags|setupTimeout|teardownTimeout|ext|cloud|discardResponseBodies|batch|batchPerHost|noUsageReport|httpDebug|throw|linger|paused)$/;

/** Makes a plan from a k6 script. The script is parsed and interpreted, never executed. */
export function importK6(given: string): ImportResult {
  const source = removeFence(given);
  const program = parseScript(source);
  if (!('body' in program)) return program.refusal;
  const draft = new Draft('k6');
  const requests = new Requests(draft);
  const script = new Interpreter(requests, source, program);
  const exported = script.exports.get('options');
  const options = readConstant(exported) ?? {};
  for (const name of listUnknown(exported, 'options').slice(0, 20)) draft.noteLeftOut(name, 'Its value is not written in the script.');
  const redirects = numberAt(options, 'maxRedirects');
  if (redirects !== null) requests.redirects = redirects;
  const { load, journeys } = loadIn(draft, options);
  const setup = script.buildFlow('setup', true);
  if (setup !== null)
    draft.noteChanged('setup', 'setup() runs once for all users.', 'In the plan, each user sends its requests once, before the others.');
  const flows = journeys.flatMap(({ exec, weight }) => {
    const read = script.buildFlow(exec, false, setup?.returned ?? UNDEFINED_VALUE);
    if (read === null) draft.noteLeftOut(exec, `The script does not export the function “${exec.slice(0, 40)}”.`);
    return read === null || read.flow.length === 0 ? [] : [{ weight, flow: [...(setup?.flow ?? []), ...read.flow] }];
  });
  for (const name of ['teardown', 'handleSummary']) if (script.exports.has(name)) draft.noteLeftOut(name, `${name}() runs after the load.`);
  const others = entriesAt(options).flatMap(([name]) => (IGNORED_OPTION_PATTERN.test(name) ? [] : [name]));
  if (others.length > 0) draft.noteLeftOut('options', `Options without an equivalent: ${joinListed(others, 200)}.`, LEFT_OUT_NOTE);
  const criteria = readCriteria(draft, options, new Set(draft.steps.map(({ name }) => name)));
  const isOn = (name: string): boolean => valueAtPath(options, name) === true;
  const reuse = isOn('noConnectionReuse') ? ('never' as const) : isOn('noVUConnectionReuse') ? ('journey' as const) : null;
  const headers = withoutNulls({ 'User-Agent': textAt(options, 'userAgent')?.slice(0, 1_000) });
  // Requests of setup() alone are no load.
  if (draft.steps.every(({ once }) => once === true)) {
    const hint =
      'Of a script for browsers, gRPC or WebSockets no plan is made. For a website, record it: holdfast record URL. What was found is listed below.';
    return refuse('NO_REQUESTS', '', 'This k6 script sends no HTTP request that can be read.', hint, draft.notes);
  }
  return draft.finish({
    name: `k6 script of ${new URL(requests.target).host}`,
    targets: [{ url: `${requests.target}/`, ...withoutNulls({ headers }) }],
    load,
    settings: {
      ...buildFlow(flows),
      ...withoutNulls({
        criteria,
        timeoutSeconds: requests.timeoutSeconds,
        tls: isOn('insecureSkipTLSVerify') ? { verify: false } : null,
        connections: withoutNulls({ reuse }),
      }),
      cookies: setup === null || setup.flow.length === 0 ? 'journey' : 'user',
    },
  });
}

/** Returns the paths of options whose values are known only in a run. */
function listUnknown(value: Value | undefined, path: string): string[] {
  if (value?.kind === 'object') return [...value.members].flatMap(([name, member]) => listUnknown(member, `${path}.${name.slice(0, 60)}`));
  if (value?.kind === 'list') return value.items.flatMap((item, index) => listUnknown(item, `${path}[${index}]`));
  return value === undefined || readConstant(value) !== undefined ? [] : [path];
}

function removeFence(text: string): string {
  const fenced = [...text.matchAll(/^```\w*\n([^]*?)^```/gm)].map(([, inside = '']) => inside);
  return fenced.find((inside) => isK6(inside)) ?? text;
}

function parseScript(source: string): Program | { readonly refusal: ImportResult } {
  try {
    return parse(source.slice(0, MAX_LENGTH + 1), {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
    });
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    const { line = 0 } = (thrown as SyntaxError & { loc?: { line: number } }).loc ?? {};
    const problem = thrown.message.replace(/ \(\d+:\d+\)$/, '').slice(0, 120);
    const what = `This is a k6 script that cannot be read as JavaScript: ${problem}.`;
    return {
      refusal: refuse('UNREAD_SCRIPT', `line ${line}`, what, 'Correct the line. Of TypeScript, paste what the compiler makes of it.'),
    };
  }
}
