import http from 'node:http';
import { builtinModules } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { EnvironmentOptions, PluginOption } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';
import { ENGINE_RUNS, TIMED_ALONE, TIMED_CALM } from './tools/check/doors.ts';
import { LOCALE } from './src/ui/words/words.ts';
import { putFirstScreen } from './tools/package/firstScreen.ts';
import { thirdPartyNotices } from './tools/package/notices.ts';
import { presetsAsJson } from './tools/package/presets.ts';

const root = import.meta.dirname;
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Modules that no bundle contains: those of Node except `http` (see {@link httpWithoutUndici}), Electron, and a native package. */
const builtins = [/^node:(?!http$)/, ...builtinModules.filter((name) => name !== 'http'), 'electron', 'better-sqlite3'];

/**
 * Packages that need their own files or native libraries at run time. They are loaded from node_modules when they are first used. All others are bundled: to
 * load each of their modules from a file of its own delays the start of a command by 0.1 s.
 */
const INSTALLED = [/^(?:mysql2|pg|pino|playwright-core|ssh2)(?:\/|$)/];

interface NodeBuild {
  readonly outDir: string;
  readonly input: Record<string, string>;
  readonly format: 'es' | 'cjs' | 'iife';
  readonly extension: 'mjs' | 'cjs' | 'js';
  /** Packages that are not bundled. */
  readonly installed?: readonly RegExp[];
  readonly oneFile?: boolean;
  readonly minify?: boolean;
  /** Keeps files that another build wrote into the folder. */
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
    // Without 'import' and 'require': the bundler adds the one that matches each import.
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
        // hdr-histogram-js imports zlib by eval, to hide it from bundlers for browsers.
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

/** Bundles a thread with its packages into one file. Each run starts threads, and one file halves their start time. */
function threadBuild(input: Record<string, string>): EnvironmentOptions {
  return nodeBuild({ outDir: 'dist/node', input, format: 'es', extension: 'mjs', oneFile: true, keep: true });
}

/** Bundles the agent, which is copied to hosts as one file. The same file is the agent on the main thread and the load worker in a worker thread. */
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
 * Reduces hdr-histogram-js to the two histograms that the page uses. The library's browser build adds 60 kB compressed (zlib, WebAssembly), and its `eval`
 * violates the page's content security policy.
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

/** Excludes lazily loaded parts from the first screen that the build renders. */
function drawnAtOnce(): PluginOption {
  return {
    name: 'holdfast-drawn-at-once',
    applyToEnvironment: ({ name }) => name === 'firstScreen',
    resolveDynamicImport: () => ({ id: 'holdfast:later', external: true }),
  };
}

/**
 * Removes unused modules of autocannon and hdr-histogram-js: uploads, terminal output, a version check, histogram logs with their own zlib, and WebAssembly
 * histograms (see autocannonDriver.ts). They take a third of a thread's start time.
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
 * Prevents that an import of `node:http` loads undici. An ES module import reads every export of a built-in module, and the getter of `http.WebSocket` loads
 * undici, which takes 65 ms in each process. Nothing imports WebSocket from there.
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

/** Removes the translations of React Aria into 33 languages that the page does not use. */
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

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly importers: readonly string[] } | null;
}

/** Returns whether a module is part of Recharts, or statically imports it, directly or not. */
function needsRecharts(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (id.includes('/node_modules/recharts/')) return true;
  seen.add(id);
  return (graph.getModuleInfo(id)?.importedIds ?? []).some((imported) => !seen.has(imported) && needsRecharts(imported, graph, seen));
}

/** Returns whether only modules with charts import this module, such as the libraries of Recharts. */
function isForCharts(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (needsRecharts(id, graph)) return true;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.length > 0 && importers.every((importer) => seen.has(importer) || isForCharts(importer, graph, seen));
}

const ALL_TESTS = ['{src,workers,electron,tools,bench}/**/*.test.{ts,tsx}', 'e2e/stories/**/*.test.ts'];
const PURE = ['{src/core,src/contract,src/ui}/**/*.test.{ts,tsx}'];
const SHELL = ['electron/**/*.test.ts'];
const NIGHTLY = ['{src,workers,electron,tools,bench,e2e}/**/*.nightly.test.ts'];
/** Tests of process-wide state (memory, sockets, V8 flags, loaded modules): each file runs in a process of its own. */
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
const CORES = availableParallelism();

/** Returns a group of tests. Groups run in the order of their numbers. Without isolation, files share a process and its modules, whose import takes seconds. */
function group(
  name: string,
  order: number,
  maxWorkers: number,
  include: readonly string[],
  options: InlineConfig = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [...include], exclude: NIGHTLY, maxWorkers, isolate: false, sequence: { groupOrder: order }, ...options },
  };
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
        // The content security policy of the page refuses data: URLs.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2_000,
        rolldownOptions: {
          input: at('src/ui/index.html'),
          // These modules have no side effects, so unused imports are left out.
          treeshake: {
            moduleSideEffects: [{ test: /\/(?:src\/core|src\/contract|node_modules\/hdr-histogram-js)\//, sideEffects: false }],
          },
          // One file for the first screen, which compresses better than 40 files. What later parts share is in two files, because loading 60 small ones
          // took as much processor time as the first screen: only pages with charts load the second, which has Recharts.
          output: {
            // Names of shared files would list the parts with `~`, which the servers of the page refuse.
            chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
            assetFileNames: ({ names: [name = ''] }) => `assets/${name.replace(/~.*(?=\.)/, '').replace(/(?=\.[^.]*$)/, '-[hash]')}`,
            codeSplitting: {
              groups: [
                { name: 'first', tags: ['$initial'] },
                // Libraries of components extend each other's classes, so they are in one file: files that import each other in a circle would break.
                { name: 'components', test: /\/node_modules\/(?:react-aria|react-stately|@internationalized|@react-)/, minShareCount: 2 },
                {
                  name: (id, graph) => (isForCharts(id, graph) ? null : 'shared'),
                  debugName: 'shared',
                  minShareCount: 2,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 100_000,
                },
                { name: 'charts', minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    // Renders the first screen into the page (tools/package/firstScreen.ts).
    firstScreen: nodeBuild({
      outDir: '.build/firstScreen',
      input: { draw: at('src/ui/app/first/draw.tsx') },
      format: 'es',
      extension: 'mjs',
      oneFile: true,
    }),
    // The script of the page that runs before the first paint.
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
    // A separate build: a sandboxed preload script cannot load shared chunks.
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
    // The npm package `electron` exports only the path of a program, so tests use a fake of its API.
    alias: { electron: at('electron/testing/electron.ts') },
    setupFiles: ['seedProperties', 'leaveNoTrace'].map((name) => at(`tools/testing/${name}.ts`)),
    // Generous, because the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      // They only compute, with a low priority in `npm test`, so their time limit only ends endless loops.
      group('pure', 0, CORES + 1, PURE, { testTimeout: 300_000 }),
      // The fake of Electron keeps state.
      group('shell', 0, CORES + 1, SHELL, { isolate: true }),
      group('engines', 1, 3 * CORES, ENGINE_RUNS),
      // These tests wait for their loads most of the time.
      group('load', 1, 3 * CORES, ALL_TESTS, {
        exclude: [...PURE, ...SHELL, ...ENGINE_RUNS, ...APART, ...TIMED_CALM, ...TIMED_ALONE, ...NIGHTLY],
      }),
      group('apart', 1, 3 * CORES, APART, { isolate: true }),
      group('calm', 2, Math.min(2, CORES), TIMED_CALM),
      group('alone', 3, 1, TIMED_ALONE),
      group('nightly', 4, 1, NIGHTLY, { exclude: [], isolate: true }),
    ],
  },
});
