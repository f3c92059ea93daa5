import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { ACTIVE_FUNCTION, REACH_FUNCTION } from './switches.ts';
import { type Branch, isExhausted } from './exhaustive.ts';

/** A small change of the code, made by Stryker. */
export interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
  /** `Ignored` if it is left out. */
  readonly status?: string | undefined;
}

/** Both counted from 0. */
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

/** Stryker's own switches at the head of each file. They count in objects by name, several times slower than the code itself. */
const OWN_SWITCHES = /function stryNS_9fa48\(\)[\s\S]*?return isActive\(id\);\s*\}/;
const CALLS = /\b(stryCov_9fa48|stryMutAct_9fa48)\(((?:"\d+"(?:,\s*)?)+)\)/g;

/**
 * Instrumented code has other times over inputs of megabytes, so they are not judged here. The first measurement counts as slightly faster.
 */
const COUNTED_GROWTH_MODULE = `
  let measured = 1;
  export const MAX_GROWTH = 9;
  export const growthOf = () => 1;
  export const leastCpuUs = () => (measured += 0.001);
`;

/** Returns the code with calls of our switches (switches.ts), which take numbers. */
function withSwitches(code: string): string {
  const switched = code
    .replace(OWN_SWITCHES, '')
    .replaceAll(
      CALLS,
      (_call, name: string, ids: string) => `${name === 'stryCov_9fa48' ? REACH_FUNCTION : ACTIVE_FUNCTION}(${ids.replaceAll('"', '')})`,
    );
  if (switched.includes('_9fa48')) throw new Error('Stryker writes its switches in another way.');
  return switched;
}

/** Instruments the files with every mutation of Stryker except texts, which only the style tests check. */
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
  const growth = [resolve(root, 'src/core/testing/growth.ts'), COUNTED_GROWTH_MODULE] as const;
  return { mutants, codes: new Map([growth, ...made.map(({ name, content }) => [name, withSwitches(content)] as const)]) };
}
