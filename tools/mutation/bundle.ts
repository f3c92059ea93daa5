import { pathToFileURL } from 'node:url';
import { dirname } from 'node:path';
import { build, type Plugin } from 'vite';

const ENTRY = '\0tests';

/** Npm packages and Node's modules stay outside, and are loaded once. */
const isPackage = (id: string): boolean => /^(?:@[a-z\d-]+\/)?[a-z\d]/i.test(id) && id !== ENTRY;

/**
 * Bundles test files, with `codes` in place of some sources, as one CommonJS text. Each evaluation creates every module anew. It exports
 * `files`, an import function per test file: modules that the requested files do not need are not run.
 */
export async function bundle(root: string, tests: readonly string[], codes: ReadonlyMap<string, string>): Promise<string> {
  const plugin: Plugin = {
    name: 'mutants',
    enforce: 'pre',
    resolveId: (source) => (source === ENTRY ? ENTRY : undefined),
    load: (id) =>
      id === ENTRY ? `export const files = [${tests.map((test) => `() => import(${JSON.stringify(`/${test}`)})`).join()}];` : codes.get(id),
    transform: (code, id) =>
      code
        .replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', () => JSON.stringify(dirname(id))),
  };
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [plugin],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: ENTRY,
        external: isPackage,
        treeshake: false,
        output: { format: 'cjs', codeSplitting: false, strictExecutionOrder: true },
      },
    },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('Vite made no bundle of the tests.');
  return output.output[0].code;
}
