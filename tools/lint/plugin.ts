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
interface Member {
  readonly object: { readonly type: string; readonly name?: string };
  readonly property: { readonly type: string; readonly name?: string };
  readonly computed: boolean;
}

const fileOf = ({ filename }: Context): string => relative(root, filename).split(sep).join('/');

const imports = {
  create(context: Context) {
    const check = (node: Importing): void => {
      if (typeof node.source?.value !== 'string') return;
      const message = judgeImport(fileOf(context), node.source.value);
      if (message) context.report({ node, message });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};

/** The core gets clocks and randomness from outside, so its results are reproducible. */
const pure = {
  create(context: Context) {
    if (!fileOf(context).startsWith('src/core/') || /\.test\.ts$|\/testing\//.test(context.filename)) return {};
    const report = (node: unknown, what: string): void =>
      context.report({ node, message: `${what} makes the core's answers unrepeatable: let the caller pass it in.` });
    return {
      MemberExpression(node: Member & object) {
        const name = `${node.object.name}.${node.property.name}`;
        if (!node.computed && ['Math.random', 'Date.now', 'performance.now', 'crypto.randomUUID'].includes(name)) report(node, name);
      },
      NewExpression(node: { callee: { name?: string }; arguments: unknown[] }) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'new Date()');
      },
    };
  },
};

/** Files that may use the process's streams. Foreign text must not control a terminal behind them; the others use a protocol there. */
const STREAM_HOLDERS: ReadonlySet<string> = new Set([
  'src/cli/main.ts',
  'src/agent/main.ts',
  'src/agent/serve.ts',
  'src/lab/main.ts',
  'src/lab/supervisor/part.ts',
  'src/selftest/server/behaviourServer.ts',
  'electron/backendHost.ts',
  'electron/backendProcess.ts',
]);

/** Output passes `outputTo` of src/cli/output/stream.ts. */
const terminalDoor = {
  create(context: Context) {
    const file = fileOf(context);
    if (!/^(src|workers|electron)\//.test(file) || STREAM_HOLDERS.has(file) || /\.test\.ts$|\/testing\//.test(file)) return {};
    return {
      MemberExpression(node: Member & object) {
        const isStream = node.object.name === 'process' && ['stdout', 'stderr'].includes(node.property.name ?? '');
        if (isStream || node.object.name === 'console')
          context.report({ node, message: 'Print through the Output of src/cli/output/stream.ts.' });
      },
    };
  },
};

/** Temporary folders of a killed process are found again by their name. */
const FOLDER_MAKERS: ReadonlySet<string> = new Set(['src/engine/ownFolder.ts', 'src/lab/programs/python.ts']);

function ownFolders(context: Context, file: string) {
  if (FOLDER_MAKERS.has(file)) return {};
  return {
    ImportSpecifier(node: { imported: { name?: string } }) {
      if (node.imported.name === 'mkdtemp' || node.imported.name === 'mkdtempSync')
        context.report({ node, message: 'Make temporary folders with makeOwnFolder of src/engine/ownFolder.ts.' });
    },
  };
}

/** One place decides what the page may send to the shell. */
const oneDoor = {
  create(context: Context) {
    const file = fileOf(context);
    const doors: Readonly<Record<string, string>> = {
      ipcMain: 'electron/ipc.ts',
      ipcRenderer: 'electron/preload.ts',
      contextBridge: 'electron/preload.ts',
    };
    if (/\.test\.tsx?$|\/testing\//.test(file)) return {};
    if (/^(src|workers)\//.test(file)) return ownFolders(context, file);
    if (!file.startsWith('electron/')) return {};
    return {
      ImportSpecifier(node: { imported: { name?: string } }) {
        const door = doors[node.imported.name ?? ''];
        if (door !== undefined && door !== file) context.report({ node, message: `${node.imported.name} belongs into ${door} only.` });
      },
      MemberExpression(node: Member & object) {
        const isShell = node.object.name === 'shell' && node.property.name === 'openExternal';
        if (isShell && file !== 'electron/externalUrl.ts')
          context.report({ node, message: 'Open links with openExternal of electron/externalUrl.ts.' });
      },
    };
  },
};

interface ImportingNames extends Importing {
  readonly importKind?: string;
  readonly specifiers: readonly { readonly type: string; readonly imported?: { readonly name?: string } }[];
}

const RESULTS = 'src/backend/results/';
/** The files of `results` that the rest of the backend may import: they send requests. */
const ASKS_FOR_RESULTS: ReadonlySet<string> = new Set([`${RESULTS}resultThread.ts`, `${RESULTS}questions.ts`]);
const RESULT_MODULES = /^#core\/(judgement\/buildResult|presentation\/(formats\/markdown|document\/\w*[rR]eport|html\/renderHtml))\.ts$/;

/** Whole results are only handled in the result thread, because they would block the event loop. */
const resultDoor = {
  create(context: Context) {
    const file = fileOf(context);
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
/** Files whose child processes get the environment of this process, and why. */
const HANDS_ENVIRONMENT_ON: ReadonlyMap<string, string> = new Map([
  ['src/backend/services/runCommand.ts', 'commands that the person wrote'],
  ['src/backend/services/lab/labService.ts', 'more of Holdfast itself'],
  ['src/backend/remote/installNode.ts', 'npm, whose proxies and registries stand there'],
]);

/** Other child processes of Holdfast get no secrets of the environment. */
const childDoor = {
  create(context: Context) {
    const file = fileOf(context);
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

const YAML_DOOR = 'src/core/plan/readYaml.ts';

/** One place parses foreign YAML, with limits on time, depth and alias expansion. */
const yamlDoor = {
  create(context: Context) {
    const file = fileOf(context);
    if (file === YAML_DOOR || !/^(src|workers|electron)\//.test(file) || /\.test\.tsx?$|\/testing\//.test(file)) return {};
    return {
      ImportDeclaration(node: ImportingNames) {
        if (node.source?.value !== 'yaml') return;
        for (const { imported } of node.specifiers)
          if (imported?.name !== 'stringify') context.report({ node, message: `Read YAML only with readYaml of ${YAML_DOOR}.` });
      },
    };
  },
};

/** Node modules that our threads may not use directly, their names, and the file that wraps them. */
const THREAD_DOORS: ReadonlyMap<string, { readonly names: RegExp; readonly door: string }> = new Map([
  ['node:worker_threads', { names: /^Worker$/, door: 'src/threads/startThread.ts' }],
  ['node:zlib', { names: /^(?!crc32$)/, door: 'src/threads/zlib.ts' }],
]);
/** Files that may compress because they never run in a thread, and why. */
const UNTHREADED_COMPRESSION: ReadonlyMap<string, string> = new Map([
  ['src/lab/school-site/content.ts', 'practice servers are processes of their own'],
  ['src/backend/remote/installNode.ts', 'what is fetched is unpacked by the pool of Node'],
]);

/** Node aborts if a thread ends while it begins to compress; these wrappers take care of that. */
const threadDoor = {
  create(context: Context) {
    const file = fileOf(context);
    if (!/^(src|workers|electron)\//.test(file) || UNTHREADED_COMPRESSION.has(file) || /\.test\.tsx?$|\/testing\//.test(file)) return {};
    return {
      ImportDeclaration(node: ImportingNames) {
        const { names, door } = THREAD_DOORS.get(String(node.source?.value)) ?? {};
        if (names === undefined || door === file || node.importKind === 'type') return;
        if (node.specifiers.some(({ imported }) => names.test(imported?.name ?? '*')))
          context.report({ node, message: `A thread of Holdfast has this from ${door}.` });
      },
    };
  },
};

/** Prefixes of joined texts, and the file that joins and parses them. */
const JOINED_TEXTS: readonly (readonly [door: string, kinds: string])[] = [
  ['src/core/plan/secretReference.ts', 'env|file|ask|session'],
  ['src/core/review/asks/ask.ts', 'host|socket|ssh|query|command'],
];

interface Text {
  readonly value: unknown;
  readonly regex?: { readonly pattern: string };
}

/** One file knows the format of such a text; others use its functions. An example in a sentence is allowed. */
const joinedDoor = {
  create(context: Context) {
    const file = fileOf(context);
    if (!/^(src|workers|electron)\//.test(file) || /\.test\.tsx?$|\/testing\//.test(file)) return {};
    const doors = JOINED_TEXTS.filter(([door]) => door !== file);
    const check = (node: unknown, written: string, patternFor: (kinds: string) => string): void => {
      const [door] = doors.find(([, kinds]) => new RegExp(patternFor(kinds)).test(written)) ?? [];
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

/** Retries within a test would hide how often it fails: `npm test` repeats failures alone and names them. */
const noSecondTry = {
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

export default {
  meta: { name: 'holdfast' },
  rules: {
    imports,
    pure,
    'one-door': oneDoor,
    'result-door': resultDoor,
    'yaml-door': yamlDoor,
    'terminal-door': terminalDoor,
    'no-second-try': noSecondTry,
    'child-door': childDoor,
    'thread-door': threadDoor,
    'joined-door': joinedDoor,
  },
};
