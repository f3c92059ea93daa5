import { HoldfastError } from '../errors.ts';
import { quote } from '../text.ts';
import { getOwn } from '../ownMembers.ts';
import type { GivenOptions, LabOption } from './listing.ts';

/** Parsed values of options of this shape. */
export type ValuesOf<Options extends Readonly<Record<string, LabOption>>> = { readonly [Name in keyof Options]: ValueOf<Options[Name]> };
type ValueOf<Option> = Option extends { readonly kind: 'number'; readonly default: number }
  ? number
  : Option extends { readonly kind: 'number' }
    ? number | null
    : Option extends { readonly kind: 'switch' }
      ? boolean
      : Option extends { readonly kind: 'choice' }
        ? string
        : string | null;

type Value = number | string | boolean | null;
type OptionResult = { readonly value: Value } | { readonly problem: string };

/** Parses the given options, with defaults for the others. Throws a `BAD_OPTION` error that names every unusable option. */
export function readOptions<Options extends Readonly<Record<string, LabOption>>>(options: Options, texts: GivenOptions): ValuesOf<Options> {
  const problems: string[] = [];
  for (const name of Object.keys(texts))
    if (!Object.hasOwn(options, name))
      problems.push(
        `There is no option --${name}. There are: ${Object.entries(options)
          .flatMap(([known, { kind }]) => (kind === 'hidden' ? [] : [`--${known}`]))
          .join(', ')}.`,
      );
  const entries = Object.entries(options).map(([name, option]): [string, Value] => {
    const raw = getOwn(texts, name);
    if (raw === undefined) return [name, option.default];
    const read = readOne(name, option, raw);
    if ('value' in read) return [name, read.value];
    problems.push(read.problem);
    return [name, option.default];
  });
  if (problems.length > 0)
    throw new HoldfastError({
      code: 'BAD_OPTION',
      message: 'The practice server was started with invalid options.',
      hint: problems.join('\n'),
    });
  // The cast is safe, because each value was parsed by the kind of its option, from which the type is derived.
  return Object.fromEntries(entries) as ValuesOf<Options>;
}

function readOne(name: string, option: LabOption, raw: Value): OptionResult {
  switch (option.kind) {
    case 'number': {
      if (raw === null || (option.default === null && raw === option.unset))
        return option.default === null ? { value: null } : { value: option.default };
      const value = typeof raw === 'string' && /^\s*$/.test(raw) ? NaN : Number(raw);
      const fits = typeof raw !== 'boolean' && value >= option.min && value <= option.max && (!option.whole || Number.isInteger(value));
      if (fits) return { value };
      const kind = option.whole ? 'a whole number' : 'a number';
      const orUnset = option.default === null ? ` or ${quote(option.unset)}` : '';
      return { problem: `--${name} takes ${kind} from ${option.min} to ${option.max}${orUnset}, not ${quote(String(raw))}.` };
    }
    case 'choice': {
      const choice = option.choices.find(({ value }) => value === raw);
      if (choice) return { value: choice.value };
      return { problem: `--${name} takes one of ${option.choices.map(({ value }) => value).join(', ')}, not ${quote(String(raw))}.` };
    }
    case 'switch': {
      if (raw === true || raw === 'on' || raw === 'true' || raw === 'yes') return { value: true };
      if (raw === false || raw === 'off' || raw === 'false' || raw === 'no') return { value: false };
      return { problem: `--${name} takes on or off, not ${quote(String(raw))}.` };
    }
    case 'path':
    case 'hidden': {
      if (raw === null || (typeof raw === 'string' && raw !== '')) return { value: raw };
      return { problem: `--${name} takes a ${option.kind === 'path' ? 'path' : 'text'}.` };
    }
    default:
      return option satisfies never;
  }
}

/** Describes an option in one line: "--workers N  (1; 1 to 64)  Requests that it works on at a time". */
export function describeOption(name: string, option: LabOption): string {
  const label = `${option.label}${option.help === '' ? '' : `. ${option.help}`}`;
  switch (option.kind) {
    case 'number': {
      const unit = option.unit === '' ? '' : ` ${option.unit}`;
      const usual = option.default === null ? option.unset : `${option.default}${unit}`;
      return `--${name} N  (${usual}; ${option.min} to ${option.max}${unit})  ${label}`;
    }
    case 'choice':
      return `--${name} ${option.choices.map(({ value }) => value).join('|')}  (${option.default})  ${label}`;
    case 'switch':
      return `--${name} on|off  (${option.default ? 'on' : 'off'})  ${label}`;
    case 'path':
      return `--${name} PATH  ${label}`;
    case 'hidden':
      return `--${name} TEXT  ${label}`;
    default:
      return option satisfies never;
  }
}
