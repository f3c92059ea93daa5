import http from 'node:http';
import { builtinModules } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { EnvironmentOptions, PluginOption } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ENGINE_RUNS, TIMED_ALONE, TIMED_CALM } from './tools/check/doors.ts';
import { LOCALE } from './src/ui/words/words.ts';
import { putFirstScreen } from './tools/package/firstScreen.ts';
import { thirdPartyNotices } from './tools/package/notices.ts';
import { presetsAsJson } from './tools/package/presets.ts';

const root = import.meta.dirname;
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** What no bundle can hold: Node's own, but for `http` (see httpWithoutUndici), Electron's, and a package that is a library of the machine. */
const builtins = [/^node:(?!http$)/, ...builtinModules.filter((name) => name !== 'http'), 'electron', 'better-sqlite3'];

/**
 * Packages that start from files of their own, or bring libraries of the machine: they are loaded from where npm puts them, by whoever needs them. All others
 * are bundled: with a file for each of their modules, a command took a tenth of a second longer until it began.
 */
const INSTALLED = [/^(?:mysql2|pg|pino|playwright-core|ssh2)(?:\/|$)/];

interface NodeBuild {
  readonly outDir: string;
  readonly input: Record<string, string>;
  readonly format: 'es' | 'cjs' | 'iife';
  readonly extension: 'mjs' | 'cjs' | 'js';
  /** Of packages: those that are not bundled. */
  readonly installed?: readonly RegExp[];
  readonly oneFile?: boolean;
  readonly minify?: boolean;
  /** Leaves what another build has put into the folder. */
  readonly keep?: boolean;
}

function nodeBuild({
  outDir,
  input,
  format,
  extension,
  installed = [],
  oneFile = false,
  minify = false,
  keep = false,
}: NodeBuild): EnvironmentOptions {
  return {
    consumer: 'server',
    // Neither 'import' nor 'require': which of them a package is asked by follows from how it is asked for.
    resolve: { noExternal: true, conditions: ['node', 'module', 'default'] },
    build: {
      outDir: at(outDir),
      emptyOutDir: !keep,
      target: 'node22',
      minify,
      sourcemap: false,
      copyPublicDir: false,
      ssr: true,
      rolldownOptions: {
        input,
        platform: 'node',
        // hdr-histogram-js looks for zlib by eval, so that browsers' bundlers do not see it.
        checks: { eval: false },
        external: [...builtins, ...installed],
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `chunks/[name]-[hash].${extension}`,
          ...(oneFile ? { codeSplitting: false } : {}),
        },
      },
    },
  };
}

/** Each run starts threads: from one file, with packages and all, a thread is there in half the time. */
function threadBuild(input: Record<string, string>): EnvironmentOptions {
  return nodeBuild({ outDir: 'dist/node', input, format: 'es', extension: 'mjs', oneFile: true, keep: true });
}

/**
 * The agent travels as one file, so its worker threads start from that same file: on the main thread it is the agent,
 * in a worker thread the load worker.
 */
function agentBundle(): PluginOption {
  const id = 'virtual:holdfast-agent';
  return {
    name: 'holdfast-agent',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (loaded) =>
      loaded === `\0${id}`
        ? `import { isMainThread } from 'node:worker_threads';
           if (isMainThread) await import(${JSON.stringify(at('src/agent/main.ts'))});
           else await import(${JSON.stringify(at('workers/loadWorker.ts'))});`
        : undefined,
  };
}

/**
 * Of hdr-histogram-js the page needs its two kinds of histogram. The library's file for browsers holds all of it, zlib and a WebAssembly among
 * that (60 kB packed), and asks by eval for another zlib, which the page's policy refuses.
 */
function onlyHistograms(): PluginOption {
  return {
    name: 'holdfast-only-histograms',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /\/hdr-histogram-js\/dist\/hdrhistogram\.umd\.js$/ },
      handler: () => ['Float64Histogram', 'Int32Histogram'].map((name) => `export { default as ${name} } from './${name}.js';`).join('\n'),
    },
  };
}

/** What the page loads later is not drawn by the build. */
function drawnAtOnce(): PluginOption {
  return {
    name: 'holdfast-drawn-at-once',
    applyToEnvironment: ({ name }) => name === 'firstScreen',
    resolveDynamicImport: () => ({ id: 'holdfast:later', external: true }),
  };
}

/**
 * What autocannon and hdr-histogram-js load and nothing here uses: uploads, tables and bars for terminals, a comparison with Node 11, logs of histograms with a zlib
 * of their own, and WebAssembly for histograms that nobody reads (autocannonDriver.ts). All of it took a third of what a thread does until it is there.
 */
function onlyTheLoad(): PluginOption {
  return {
    name: 'holdfast-only-the-load',
    applyToEnvironment: ({ name }) => name !== 'client',
    load: {
      filter: {
        id: /\/(?:hdr-histogram-js\/dist\/(?:wasm\/index|encoding|JsHistogram\.encoding|HistogramLog(?:Reader|Writer))|autocannon\/lib\/(?:multipart|printResult|progressTracker)|semver\/index)\.js$/,
      },
      handler: () => 'module.exports = { initWebAssemblySync() {}, WasmHistogram: class {}, gte: () => true };',
    },
  };
}

/**
 * Whoever imports `node:http` as a module reads all that it has, also what it gets from undici when it is asked for: a fifteenth of a second in each process, for a
 * WebSocket that nobody takes from there.
 */
function httpWithoutUndici(): PluginOption {
  const id = '\0holdfast-http';
  const names = Object.keys(http).filter((name) => Object.getOwnPropertyDescriptor(http, name)?.get === undefined);
  return {
    name: 'holdfast-http-without-undici',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name !== 'client',
    resolveId: {
      filter: { id: /^(?:node:)?http$/ },
      handler: (_source, _importer, { kind }) => (kind === 'import-statement' ? id : { id: 'node:http', external: true }),
    },
    load: {
      filter: { id: /^\0holdfast-http$/ },
      handler: () =>
        `const http = process.getBuiltinModule('node:http'); export default http; export const { ${names.join(', ')} } = http;`,
    },
  };
}

/** React Aria says what it says in 34 languages; the page speaks one, and so do its parts. */
function inOneLanguage(): PluginOption {
  return {
    name: 'holdfast-one-language',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: { include: /\/node_modules\/react-(?:aria|stately).*\/intl\/.*\.mjs$/, exclude: new RegExp(`/${LOCALE}\\.mjs$`) } },
      handler: () => 'export default undefined;',
    },
  };
}

const ALL_TESTS = ['{src,workers,electron,tools,bench}/**/*.test.{ts,tsx}', 'e2e/stories/**/*.test.ts'];
const PURE = ['{src/core,src/contract,src/ui}/**/*.test.{ts,tsx}'];
const SHELL = ['electron/**/*.test.ts'];
/** Short texts that take long: by size they would begin last, and be waited for alone. */
const EARLY = [
  'bench/pages/pages.test.ts',
  'e2e/stories/stories.test.ts',
  'src/backend/services/checks/hops.test.ts',
  'src/backend/memory.test.ts',
  'src/cli/commands/capacity.test.ts',
  'src/cli/exhausted.test.ts',
  'src/selftest/selfTestCounts.test.ts',
  'tools/lint/foreignKeys.test.ts',
];
/** Those that look at their process as a whole: its memory, its sockets, V8's flags, or who has loaded what before. Each needs one of its own. */
const APART = [
  'bench/fuzz/fuzz.test.ts',
  'src/backend/ownerOnly.test.ts',
  'src/backend/results/resultThread.test.ts',
  'workers/bodyCheck/patternSearch.test.ts',
  'workers/{collectGarbage,warmUp}.test.ts',
  'workers/drivers/autocannon/packing.test.ts',
  'workers/drivers/native/hostile.test.ts',
  'workers/streams/websocket/frames.test.ts',
];
/** Long ones, for nights: their names say so. */
const NIGHTLY = ['{src,workers,electron,tools,bench,e2e}/**/*.nightly.test.ts'];
interface TestGroup {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
  readonly order: number;
  readonly maxWorkers?: number;
  /** False where the files of a worker share one process and what they have imported: to import it takes seconds. */
  readonly isolate?: boolean;
  /** Flags of Node for its processes. */
  readonly execArgv?: string[];
}

/**
 * V8's space for young objects, in megabytes, from the start: nearly all that a test makes is garbage soon, and a space that begins small is cleared often. Not for
 * groups that look at memory, flags or times.
 */
const ROOM_FOR_YOUNG = ['--min-semi-space-size=16'];

/** Groups run one after the other. */
function testProject({
  name,
  include,
  exclude = NIGHTLY,
  order,
  maxWorkers = availableParallelism(),
  isolate = true,
  execArgv = [],
}: TestGroup): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include, exclude, maxWorkers, isolate, execArgv, sequence: { groupOrder: order } } };
}

export default defineConfig({
  root: at('src/ui'),
  base: '/',
  cacheDir: at('node_modules/.vite'),
  plugins: [
    react({ jsxImportSource: '#ui/jsx' }),
    agentBundle(),
    onlyHistograms(),
    onlyTheLoad(),
    inOneLanguage(),
    httpWithoutUndici(),
    thirdPartyNotices(root),
    presetsAsJson(at('presets')),
    drawnAtOnce(),
  ],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
      await putFirstScreen({ page: at('dist/ui'), made: at('.build/firstScreen'), presets: at('presets') });
    },
  },
  environments: {
    client: {
      build: {
        outDir: at('dist/ui'),
        emptyOutDir: true,
        // The page forbids inline anything, so nothing may become a data: URL.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2_000,
        rolldownOptions: {
          input: at('src/ui/index.html'),
          // Nor does the page hold what is imported and not used. No module of these does anything by being loaded.
          treeshake: {
            moduleSideEffects: [{ test: /\/(?:src\/core|src\/contract|node_modules\/hdr-histogram-js)\//, sideEffects: false }],
          },
          // What the first screen needs, in one file: it packs better than 40, and asks for less. What several later parts share, in another: they
          // are loaded once it stands, and 60 small files took as much processor time as the screen.
          output: {
            codeSplitting: {
              groups: [
                { name: 'first', tags: ['$initial'] },
                { name: 'shared', minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    // What draws the first screen into the page (tools/package/firstScreen.ts), and the script that runs before it is painted.
    firstScreen: nodeBuild({
      outDir: '.build/firstScreen',
      input: { draw: at('src/ui/app/first/draw.tsx') },
      format: 'es',
      extension: 'mjs',
      oneFile: true,
    }),
    begin: nodeBuild({
      outDir: '.build/firstScreen',
      input: { begin: at('src/ui/app/first/begin.ts') },
      format: 'iife',
      extension: 'js',
      oneFile: true,
      minify: true,
      keep: true,
    }),
    shell: nodeBuild({
      outDir: 'dist/electron',
      input: { main: at('electron/main.ts') },
      format: 'cjs',
      extension: 'cjs',
    }),
    // A build of its own: a sandboxed preload can load no second file, so it may share no chunk.
    preload: nodeBuild({
      outDir: 'dist/electron',
      input: { preload: at('electron/preload.ts') },
      format: 'cjs',
      extension: 'cjs',
      oneFile: true,
      keep: true,
    }),
    node: nodeBuild({
      outDir: 'dist/node',
      input: {
        cli: at('src/cli/main.ts'),
        lab: at('src/lab/main.ts'),
        selftest: at('src/selftest/main.ts'),
        backendProcess: at('electron/backendProcess.ts'),
      },
      format: 'es',
      extension: 'mjs',
      installed: INSTALLED,
    }),
    loadThread: threadBuild({ loadWorker: at('workers/loadWorker.ts') }),
    resultThread: threadBuild({ resultThread: at('src/backend/results/thread.ts') }),
    agent: nodeBuild({
      outDir: 'dist/agent',
      input: { 'holdfast-agent': 'virtual:holdfast-agent' },
      format: 'es',
      extension: 'mjs',
      oneFile: true,
    }),
  },
  test: {
    root,
    // The npm package called electron is only a path to a program; the shell's parts are tested over a stand-in for its API.
    alias: { electron: at('electron/testing/electron.ts') },
    setupFiles: ['seedProperties', 'leaveNoTrace'].map((name) => at(`tools/testing/${name}.ts`)),
    // Nothing here measures itself: a machine that is busy with something else may take its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      testProject({
        name: 'pure',
        include: PURE,
        order: 0,
        maxWorkers: 1 + availableParallelism(),
        isolate: false,
        execArgv: ROOM_FOR_YOUNG,
      }),
      // The stand-in for Electron remembers what was asked of it.
      testProject({ name: 'shell', include: SHELL, order: 0, maxWorkers: 1 + availableParallelism() }),
      // One real load of each engine waits half of its time, beside what only works.
      testProject({ name: 'engines', include: [...ENGINE_RUNS], order: 0, maxWorkers: 1 + availableParallelism(), isolate: false }),
      // Real servers under small loads: they wait about as long as they work, and none of them cares how fast it goes.
      testProject({
        name: 'load',
        include: ALL_TESTS,
        exclude: [...PURE, ...SHELL, ...ENGINE_RUNS, ...EARLY, ...APART, ...TIMED_CALM, ...TIMED_ALONE, ...NIGHTLY],
        order: 1,
        maxWorkers: 2 * availableParallelism(),
        isolate: false,
        execArgv: ROOM_FOR_YOUNG,
      }),
      testProject({ name: 'apart', include: APART, order: 1, maxWorkers: 2 * availableParallelism() }),
      // Beside them: projects that run together begin in the order of their names.
      testProject({ name: 'early', include: EARLY, order: 1, maxWorkers: 2 * availableParallelism(), isolate: false }),
      testProject({ name: 'calm', include: TIMED_CALM, order: 2, maxWorkers: Math.min(2, availableParallelism()), isolate: false }),
      testProject({ name: 'alone', include: TIMED_ALONE, order: 3, maxWorkers: 1, isolate: false }),
      testProject({ name: 'nightly', include: NIGHTLY, exclude: [], order: 4, maxWorkers: 1 }),
    ],
  },
});
