import type { Draft } from '../draft.ts';
import type { Field, Meaning, Switch } from './meaning.ts';
import type { Tool } from './tools.ts';

interface Given {
  readonly option: string;
  readonly value: string;
}

/** What makes a command unreadable. */
export interface Problem {
  readonly option: string;
  readonly message: string;
  readonly hint: string;
}

/** The options of a command, by what they are for. */
export interface Parsed {
  readonly fields: ReadonlyMap<Field, readonly Given[]>;
  readonly switches: ReadonlySet<Switch>;
  /** Bodies in the order in which they were given. */
  readonly bodies: readonly (Given & { readonly field: Field })[];
  /** Words that stand where an address would, and are none. */
  readonly problems: readonly Problem[];
}

const BODY_FIELDS: ReadonlySet<Field> = new Set<Field>(['data', 'dataRaw', 'dataBinary', 'dataEncoded', 'json', 'part', 'partText']);

/** Reads the words behind a program's name. What a plan cannot say is noted. */
export function parseOptions(draft: Draft, words: readonly string[], tool: Tool): Parsed {
  const fields = new Map<Field, Given[]>();
  const bodies: (Given & { field: Field })[] = [];
  const switches = new Set<Switch>();
  const problems: Problem[] = [];
  const give = (field: Field, given: Given): void => {
    const list = fields.get(field);
    if (list) list.push(given);
    else fields.set(field, [given]);
    if (BODY_FIELDS.has(field)) bodies.push({ ...given, field });
  };
  const take = (option: string, meaning: Meaning | undefined, value: string): void => {
    switch (meaning?.kind) {
      case undefined:
        draft.leftOut(option.slice(0, 60), 'This option is not known here.');
        return;
      case 'none':
        draft.leftOut(option, meaning.what, meaning.instead);
        return;
      case 'switch':
        switches.add(meaning.does);
        return;
      case 'field':
        give(meaning.field, { option, value });
        return;
      case 'output':
        return;
      default:
        meaning satisfies never;
    }
  };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--next' || word === '-:') {
      draft.leftOut(word, 'Requests of their own stand behind it.', 'They were left out: paste them as commands of their own.');
      break;
    }
    if (word === '--') continue;
    if (!word.startsWith('-') || word === '-') {
      give('address', { option: '', value: word });
      continue;
    }
    for (const [option, attached] of splitOptions(word, tool)) {
      const meaning = tool.options.get(option) ?? negated(option, tool);
      if (!takesValue(meaning)) {
        take(option, meaning, '');
        continue;
      }
      if (attached === null && words[index + 1] === '[') {
        // autocannon takes options of their own in brackets.
        const end = words.indexOf(']', index);
        index = end < 0 ? words.length : end;
        take(option, meaning, '[…]');
        continue;
      }
      const value = attached ?? words[(index += 1)];
      if (value === undefined)
        problems.push({
          option,
          message: `The value of ${option} is missing.`,
          hint: 'The command may have been cut off when it was copied.',
        });
      else take(option, meaning, value);
    }
  }
  return { fields, switches, bodies, problems };
}

function takesValue(meaning: Meaning | undefined): boolean {
  if (!meaning || meaning.kind === 'switch') return false;
  return meaning.kind !== 'none' || meaning.hasValue;
}

/** `--no-compressed` takes a switch back. */
function negated(option: string, tool: Tool): Meaning | undefined {
  const meaning = option.startsWith('--no-') ? tool.options.get(`--${option.slice(5)}`) : undefined;
  return meaning?.kind === 'switch' ? { kind: 'switch', does: 'nothing' } : undefined;
}

/** `--connections=10` and `-c10` carry their value, `-kc10` two options; `-c` and `--connections` carry none. */
function splitOptions(word: string, tool: Tool): [option: string, attached: string | null][] {
  if (word.startsWith('--') || tool.singleDashWords) {
    const name = tool.singleDashWords ? word.replace(/^--/, '-') : word;
    const equals = name.indexOf('=');
    return [equals < 0 ? [name, null] : [name.slice(0, equals), name.slice(equals + 1)]];
  }
  const options: [string, string | null][] = [];
  for (let at = 1; at < word.length; at += 1) {
    const option = `-${word[at] ?? ''}`;
    const meaning = tool.options.get(option);
    const attached = word.slice(at + 1);
    if (takesValue(meaning)) return [...options, [option, attached === '' ? null : attached]];
    options.push([meaning === undefined ? `-${word.slice(at)}` : option, null]);
    if (!meaning) return options;
  }
  return options;
}
