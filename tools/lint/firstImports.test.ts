import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { productCode } from './texts.ts';

/** Matches the imported files that configure zod for all schemas built after them. */
const SETTINGS = /without(?:Compiling|Eval)\.ts'/;

it('the configuration of zod is imported before every other file of the project', async () => {
  const imports = (await productCode(resolve(import.meta.dirname, '..', '..'))).flatMap(({ path, text }) => {
    const own = text.match(/^import [^']*'[#.][^']*';$/gm) ?? [];
    return own.some((line) => SETTINGS.test(line)) ? [{ path, first: own[0] }] : [];
  });
  expect(imports).toEqual([
    { path: 'src/ui/app/first/draw.tsx', first: "import '../withoutEval.ts';" },
    { path: 'src/ui/main.tsx', first: "import './app/withoutEval.ts';" },
    { path: 'workers/loadWorker.ts', first: "import './withoutCompiling.ts';" },
  ]);
});
