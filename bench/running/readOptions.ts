import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** An option of a campaign. */
export interface Option<Value> {
  /** What follows its name in the usage. */
  readonly shape: string;
  readonly help: string;
  /** Returns the value of the given texts: several if the option was repeated. Throws a `TypeError` that says what is correct. */
  readonly read: (texts: readonly string[]) => Value;
}

type Table = Readonly<Record<string, Option<unknown>>>;
export type OptionValues<Options extends Table> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

/** Returns an option with a whole number from 1 to a maximum. */
export function integer<Default extends number | null>(help: string, otherwise: Default, max: number): Option<number | Default> {
  return {
    shape: 'N',
    help: otherwise === null ? help : `${help} (${otherwise})`,
    read: ([text]) => {
      if (text === undefined) return otherwise;
      if (!/^[1-9]\d*$/.test(text) || Number(text) > max) throw new TypeError(`write a whole number from 1 to ${max}.`);
      return Number(text);
    },
  };
}

/** Returns an option with names, separated by commas. Its value has them in the order of all names. */
export function names<Name extends string>(help: string, all: readonly Name[], otherwise = all): Option<readonly Name[]> {
  return {
    shape: 'A,B',
    help: `${help}, of ${all.join(', ')} (${otherwise === all ? 'all' : otherwise.join(',')})`,
    read: (texts) => (texts.length === 0 ? otherwise : chooseNames(texts.flatMap(splitList), all)),
  };
}

function chooseNames<Name extends string>(wanted: readonly string[], all: readonly Name[]): readonly Name[] {
  const unknown = wanted.filter((one) => !all.some((name) => name === one));
  if (unknown.length > 0) throw new TypeError(`there is no ${unknown.join(', no ')}, only ${all.join(', ')}.`);
  return all.filter((name) => wanted.includes(name));
}

/** Returns the parts of a text between commas. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The folder into which a campaign writes its results. */
export const RESULTS: Option<string> = {
  shape: 'DIRECTORY',
  help: '(bench/results)',
  read: ([text]) => text ?? fileURLToPath(new URL('../results/', import.meta.url)),
};

/** An option without a value. */
export const flag = (help: string): Option<boolean> => ({ shape: '', help, read: (texts) => texts.length > 0 });

const toDashes = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Parses the arguments of a campaign: options of the table, and names of parts, which are all parts if none is given. Returns the usage if
 * that was requested. @throws with every problem at once, one per line, and the usage.
 */
export function readOptions<Options extends Table, Part extends string = never>(
  campaign: string,
  table: Options,
  parameters: readonly string[],
  allParts: readonly Part[] = [],
): (OptionValues<Options> & { readonly parts: readonly Part[] }) | string {
  const listed = Object.entries(table).map(([name, option]) => ({ name, written: `--${toDashes(name)}`, ...option }));
  const usage = [
    `node bench/main.ts ${[campaign, allParts.length > 0 ? `[${allParts.join('|')} …]` : '', '[options]'].filter(Boolean).join(' ')}`,
    ...listed.map(({ written, shape, help }) => `  ${`${written} ${shape}`.padEnd(26)}${help}`),
  ].join('\n');
  const typeOf = (shape: string): 'string' | 'boolean' => (shape === '' ? 'boolean' : 'string');
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: allParts.length > 0,
    options: {
      help: { type: 'boolean' },
      ...Object.fromEntries(listed.map(({ name, shape }) => [toDashes(name), { type: typeOf(shape), multiple: true }] as const)),
    },
  });
  const problems: string[] = [];
  const attempt = <Value>(written: string, read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown;
      problems.push(`${written}: ${thrown.message}`);
      return undefined;
    }
  };
  const parts = attempt(positionals.join(' '), () => (positionals.length === 0 ? allParts : chooseNames(positionals, allParts)));
  if (values.help === true && problems.length === 0) return usage;
  const given = new Map<string, readonly unknown[]>(Object.entries(values).map(([name, value]) => [name, [value].flat()]));
  const read = listed.map(({ name, written, read: readTexts }) => {
    const texts = (given.get(toDashes(name)) ?? []).map(String);
    return [name, attempt([written, ...texts].join(' '), () => readTexts(texts))];
  });
  if (problems.length > 0) throw new Error([...problems, '', usage].join('\n'));
  return { ...Object.fromEntries(read), parts };
}
