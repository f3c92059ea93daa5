import { relative, sep } from 'node:path';
import { judgeImport } from './judgeImport.ts';

const root = new URL('../..', import.meta.url).pathname;

interface Context {
  readonly filename: string;
  report(problem: { node: unknown; message: string }): void;
}
interface Importing {
  readonly source: { readonly value: unknown } | null;
}
const getFile = ({ filename }: Context): string => relative(root, filename).split(sep).join('/');

const imports = {
  create(context: Context) {
    const check = (node: Importing): void => {
      if (typeof node.source?.value !== 'string') return;
      const message = judgeImport(getFile(context), node.source.value);
      if (message) context.report({ node, message });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};

/**
 * Rejects clocks and randomness in the core. The core gets both from outside, so that its results can be reproduced. The configuration
 * lists the functions.
 */
const noClock = {
  create(context: Context) {
    if (!getFile(context).startsWith('src/core/') || /\.test\.ts$|\/testing\//.test(context.filename)) return {};
    return {
      NewExpression(node: { callee: { name?: string }; arguments: unknown[] }) {
        if (node.callee.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: 'The core gets clocks and randomness from outside, so its results are reproducible.' });
      },
    };
  },
};

interface ImportingNames extends Importing {
  readonly specifiers: readonly { readonly type: string; readonly imported?: { readonly name?: string } }[];
}

const RESULTS = 'src/backend/results/';
/** The files in `results` that the rest of the backend may import. They send requests to the result thread. */
const ASKS_FOR_RESULTS: ReadonlySet<string> = new Set([`${RESULTS}resultThread.ts`, `${RESULTS}questions.ts`]);
const RESULT_MODULES = /^#core\/(judgement\/buildResult|presentation\/(formats\/markdown|document\/\w*[rR]eport|html\/renderHtml))\.ts$/;

/** Rejects code that handles whole results outside of the result thread, because such code would block the event loop. */
const wholeResultRule = {
  create(context: Context) {
    const file = getFile(context);
    if (!file.startsWith('src/backend/') || file.startsWith(RESULTS) || /\.test\.ts$|\/testing\//.test(file)) return {};
    return {
      ImportDeclaration(node: Importing) {
        const path = String(node.source?.value);
        const isInside = path.includes('/results/') && !ASKS_FOR_RESULTS.has(path.replace(/^.*\/results\//, RESULTS));
        if (isInside || RESULT_MODULES.test(path))
          context.report({ node, message: `Only ${RESULTS}thread.ts makes results and reports: use the ResultThread.` });
      },
    };
  },
};

const STARTS_PROGRAMS = /^(spawn|exec|execFile|fork)(Sync)?$/;
/** Files whose child processes get the environment of this process, each with the reason. */
const HANDS_ENVIRONMENT_ON: ReadonlyMap<string, string> = new Map([
  ['src/backend/services/runCommand.ts', 'commands that the person wrote'],
  ['src/backend/services/lab/labService.ts', 'more of Holdfast itself'],
  ['src/backend/remote/installNode.ts', 'npm, whose proxies and registries stand there'],
]);

/** Rejects child processes that get the whole environment in all other files, because the environment may contain secrets. */
const childProcessRule = {
  create(context: Context) {
    const file = getFile(context);
    if (!/^src\/(engine|backend)\//.test(file) || HANDS_ENVIRONMENT_ON.has(file) || /\.test\.ts$|\/testing\//.test(file)) return {};
    let starts: ImportingNames | null = null;
    let hasDoor = false;
    return {
      ImportDeclaration(node: ImportingNames) {
        const names = node.specifiers.map(({ imported }) => imported?.name ?? '');
        if (node.source?.value === 'node:child_process' && names.some((name) => STARTS_PROGRAMS.test(name))) starts = node;
        if (names.includes('childEnvironment')) hasDoor = true;
      },
      'Program:exit'() {
        if (starts !== null && !hasDoor)
          context.report({ node: starts, message: 'Start programs with childEnvironment of src/engine/childEnvironment.ts.' });
      },
    };
  },
};

/** Prefixes of texts that are joined from parts, each with the file that joins and parses such texts. */
const JOINED_TEXTS: readonly (readonly [door: string, kinds: string])[] = [
  ['src/core/plan/secretReference.ts', 'env|file|ask|session'],
  ['src/core/review/asks/ask.ts', 'host|socket|ssh|query|command'],
];

interface Text {
  readonly value: unknown;
  readonly regex?: { readonly pattern: string };
}

/**
 * Rejects code that knows the format of such a text outside of its file, because that file has functions for it. An example in a sentence
 * is allowed.
 */
const joinedTextRule = {
  create(context: Context) {
    const file = getFile(context);
    if (!/^(src|workers|electron)\//.test(file) || /\.test\.tsx?$|\/testing\//.test(file)) return {};
    const doors = JOINED_TEXTS.filter(([door]) => door !== file);
    const check = (node: unknown, text: string, patternFor: (kinds: string) => string): void => {
      const [door] = doors.find(([, kinds]) => new RegExp(patternFor(kinds)).test(text)) ?? [];
      if (door !== undefined) context.report({ node, message: `Make and read this text by ${door}.` });
    };
    return {
      Literal(node: Text) {
        const { value, regex } = node;
        if (typeof value === 'string') check(node, value, (kinds) => String.raw`^(?:${kinds}):[^/\s]*$`);
        if (regex !== undefined) check(node, regex.pattern, (kinds) => String.raw`^\^?(?:\((?:\?:)?)?(?:${kinds}):(?!\\?/)`);
      },
      TemplateElement(node: { readonly tail: boolean; readonly value: { readonly raw: string } }) {
        if (!node.tail) check(node, node.value.raw, (kinds) => String.raw`(?:^|[\s"'(])(?:${kinds}):$`);
      },
    };
  },
};

interface Option {
  readonly key: { readonly type: string; readonly name?: string };
  readonly parent: { readonly parent: { readonly type: string; readonly callee?: { readonly name?: string } } };
}

/**
 * Rejects retries within a test, because they would hide how often the test fails. `npm test` repeats failed tests alone and names them.
 */
const noRetryRule = {
  create(context: Context) {
    if (!/\.(test|spec)\.tsx?$/.test(context.filename)) return {};
    return {
      'CallExpression > ObjectExpression > Property'(node: Option) {
        const { callee } = node.parent.parent;
        if (node.key.name === 'retry' && /^(it|test|describe)$/.test(callee?.name ?? ''))
          context.report({ node, message: 'No test retries silently: leave out `retry`.' });
      },
    };
  },
};

const MAX_FUNCTION_LINES = 80;

interface FunctionNode {
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly parent: { readonly callee?: unknown };
}

/** Rejects long functions. A `describe` is a list of tests, and may be longer. */
const functionLengthRule = {
  create(context: Context & { readonly sourceCode: { getText(node: unknown): string } }) {
    const check = (node: FunctionNode): void => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines <= MAX_FUNCTION_LINES) return;
      const { callee } = node.parent;
      if (callee !== undefined && callee !== node && /^(test\.)?describe\b/.test(context.sourceCode.getText(callee))) return;
      context.report({ node, message: `Split this function of ${lines} lines: ${MAX_FUNCTION_LINES} are allowed.` });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};

export default {
  meta: { name: 'holdfast' },
  rules: {
    imports,
    'no-clock': noClock,
    'result-door': wholeResultRule,
    'no-second-try': noRetryRule,
    'child-door': childProcessRule,
    'joined-door': joinedTextRule,
    'function-length': functionLengthRule,
  },
};
