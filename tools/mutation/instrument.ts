import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type Branch, isExhausted } from './exhaustive.ts';

/** A small change of the code, as Stryker makes it. */
export interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
  /** `Ignored` where it is left out. */
  readonly status?: string | undefined;
}

/** Both count from 0. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** The code with all changes in it, each behind a switch, by absolute path. */
  readonly codes: ReadonlyMap<string, string>;
}

const quiet = (): void => {};
const LOGGER = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet };
const isNever = (): boolean => false;

/** How Stryker begins to count which test reaches what: it is asked for once, and costs as much as the code itself. */
const COUNTING = 'function cover() {';

/** The files with every change that Stryker knows. Changes of words are left out: the tests of style hold those, and nobody else should. */
export async function instrument(root: string, names: readonly string[]): Promise<Instrumented> {
  const instrumenter = new Instrumenter({
    ...LOGGER,
    isTraceEnabled: isNever,
    isDebugEnabled: isNever,
    isInfoEnabled: isNever,
    isWarnEnabled: isNever,
    isErrorEnabled: isNever,
    isFatalEnabled: isNever,
  });
  const files = names.map((name) => ({ name: resolve(root, name), mutate: true, content: readFileSync(resolve(root, name), 'utf8') }));
  const { files: made, mutants } = await instrumenter.instrument(files, {
    plugins: null,
    excludedMutations: ['StringLiteral'],
    ignorers: [{ shouldIgnore: (path) => (isExhausted((path as { readonly node: Branch }).node) ? 'the types rule it out' : undefined) }],
  });
  const codes = made.map(({ name, content }) => [name, content.replace(COUNTING, `${COUNTING} if (!ns.isCounting) return;`)] as const);
  return { mutants, codes: new Map(codes) };
}
