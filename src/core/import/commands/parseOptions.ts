import type { Draft } from '../draft.ts';
import type { Field, Meaning, Switch } from './meaning.ts';
import type { Tool } from './tools.ts';

export interface GivenOption {
  readonly option: string;
  readonly value: string;
}

export const NO_ADDRESS_MESSAGE = 'This is not an http or https address.';

export interface Problem {
  readonly option: string;
  readonly message: string;
  readonly hint: string;
}

/** The options of a command, by their purpose. */
export class ParsedOptions {
  readonly fields: ReadonlyMap<Field, readonly GivenOption[]>;
  readonly switches: ReadonlySet<Switch>;
  readonly bodies: readonly (GivenOption & { readonly field: Field })[];

  constructor({ fields, switches, bodies }: Pick<ParsedOptions, 'fields' | 'switches' | 'bodies'>) {
    this.fields = fields;
    this.switches = switches;
    this.bodies = bodies;
  }

  all(field: Field): readonly GivenOption[] {
    return this.fields.get(field) ?? [];
  }

  /** Returns the last option, which counts, of the first of the fields that is given. */
  last(...fields: readonly Field[]): GivenOption | undefined {
    return fields.map((field) => this.all(field).at(-1)).find((given) => given !== undefined);
  }

  value(field: Field): string | undefined {
    return this.last(field)?.value;
  }

  has(what: Switch): boolean {
    return this.switches.has(what);
  }

  /** Returns the options with the given uploads instead of their own. */
  uploading(uploads: readonly GivenOption[]): ParsedOptions {
    const fields = new Map(this.fields);
    if (uploads.length === 0) fields.delete('putFile');
    else fields.set('putFile', uploads);
    return new ParsedOptions({ ...this, fields });
  }
}

const BODY_FIELD_PATTERN = /^(?:data(?:Raw|Binary|Encoded)?|json|part(?:Text)?)$/;

/** Reads the words after a program’s name. Adds a note for each option that plans do not support, and a problem for a missing value. */
export function parseOptions(draft: Draft, words: readonly string[], tool: Tool, problems: Problem[]): ParsedOptions {
  const fields = new Map<Field, GivenOption[]>();
  const bodies: (GivenOption & { field: Field })[] = [];
  const switches = new Set<Switch>();
  const give = (field: Field, given: GivenOption): void => {
    fields.set(field, [...(fields.get(field) ?? []), given]);
    if (BODY_FIELD_PATTERN.test(field)) bodies.push({ ...given, field });
  };
  const take = (option: string, meaning: Meaning | undefined, value: string): void => {
    if (meaning === undefined) {
      const after = value === '' ? '' : `, and so is “${value.slice(0, 40)}” after it`;
      draft.noteLeftOut(option.slice(0, 60), `This option is unknown${after}.`);
    } else if (meaning.kind === 'none') draft.noteLeftOut(option, meaning.what, meaning.instead);
    else if (meaning.kind === 'switch') switches.add(meaning.does);
    else if (meaning.kind === 'field') give(meaning.field, { option, value });
  };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') continue;
    if (!word.startsWith('-') || word === '-') {
      give('address', { option: '', value: word });
      continue;
    }
    for (const [option, attached] of splitOptions(word, tool)) {
      const meaning = findMeaning(option, tool);
      const next = words[index + 1];
      if (!takesValue(meaning)) {
        // The word after an unknown option counts as the option's value, unless the word is an option or an address. Otherwise, the word
        // would become the server.
        const isValue = meaning === undefined && next !== undefined && !next.startsWith('-') && !/^https?:\/\//i.test(next);
        if (isValue && attached === null) index += 1;
        take(option, meaning, attached ?? (isValue ? next : ''));
      } else if (attached === null && next === '[') {
        // In autocannon, brackets enclose the options of another program.
        const end = words.indexOf(']', index);
        index = end < 0 ? words.length : end;
        take(option, meaning, '[…]');
      } else {
        const value = attached ?? words[(index += 1)];
        const hint = 'The command was probably copied incompletely.';
        if (value === undefined) problems.push({ option, message: `The value of ${option} is missing.`, hint });
        else take(option, meaning, value);
      }
    }
  }
  return new ParsedOptions({ fields, switches, bodies });
}

export function takesValue(meaning: Meaning | undefined): boolean {
  if (!meaning || meaning.kind === 'switch') return false;
  return meaning.kind !== 'none' || meaning.hasValue;
}

/** Returns the meaning of an option. curl accepts an unambiguous beginning of a long option, and `--no-…` to turn a switch off. */
function findMeaning(option: string, tool: Tool): Meaning | undefined {
  const positive = option.startsWith('--no-') ? tool.options.get(`--${option.slice(5)}`) : undefined;
  const negated: Meaning | undefined = positive?.kind === 'switch' ? { kind: 'switch', does: 'nothing' } : undefined;
  const known = tool.options.get(option) ?? negated;
  if (known !== undefined || tool.shortens !== true || !/^--[a-z]/.test(option)) return known;
  const meanings = new Set([...tool.options].filter(([name]) => name.startsWith(option)).map(([, meaning]) => meaning));
  return meanings.size === 1 ? [...meanings][0] : undefined;
}

/** Splits options in one word: `--connections=10` and `-c10` contain a value, `-kc10` two options, and `-c` no value. */
function splitOptions(word: string, tool: Tool): [option: string, attached: string | null][] {
  if (word.startsWith('--') || tool.singleDashWords === true) {
    const [, name = '', attached = null] =
      /^([^=]*)(?:=([^]*))?$/.exec(tool.singleDashWords === true ? word.replace(/^--/, '-') : word) ?? [];
    return [[name, attached]];
  }
  const options: [string, string | null][] = [];
  for (let at = 1; at < word.length; at += 1) {
    const option = `-${word[at] ?? ''}`;
    const meaning = tool.options.get(option);
    if (meaning === undefined) return [...options, [`-${word.slice(at)}`, null]];
    if (takesValue(meaning)) return [...options, [option, word.slice(at + 1) || null]];
    options.push([option, null]);
  }
  return options;
}
