import type { Draft, WrittenStep } from '../draft.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { FIRST_ITEM_NOTE } from '../notes.ts';
import type { Configuration, FetchSettings } from './configuration.ts';
import { lengthenPause, type Pauses, readThinkTime } from './cycles.ts';
import { Interpreter } from './python/interpreter.ts';
import { Program, PythonProblem } from './python/syntax.ts';
import { type Part, TestRequests } from './testRequests.ts';

interface ReadTest {
  /** Origin, `http://host:port`; null if no request has a known server. */
  readonly origin: string | null;
  readonly flow: FlowPart[];
  /** Name of the test method. */
  readonly name: string;
}

/** The reason why a test cannot be read, and the line. */
export interface UnreadTest {
  readonly line: number;
  readonly why: string;
}

/** Adds the requests of a FunkLoad test to a draft. Executes nothing. */
export function readTest(
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
    const flow = addParts(draft, appendLastPause(addLoginRedirect(requests.parts), pauses));
    return { origin: requests.origin, flow, name };
  } catch (thrown) {
    if (!(thrown instanceof PythonProblem)) throw thrown;
    return { line: thrown.line, why: thrown.message };
  }
}

/** Returns the first test that the configuration describes, or else the first test of the last class. */
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
function addLoginRedirect(parts: readonly Part[]): Part[] {
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
