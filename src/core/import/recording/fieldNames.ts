import type { Step } from '#core/plan/schema/step.ts';
import { hasPlaceholders, parseTemplate } from '#core/plan/secrets.ts';
import { unescapePlaceholders } from '../placeholders.ts';
import { readTags } from '#core/work/pages/readTags.ts';
import { escapeRegExp } from './valueLocation.ts';
import type { Sessions } from './sessions.ts';
import { type Finder, takeCapture } from './takeCapture.ts';
import { type Exchange, lastOf } from './walk.ts';

export function replaceFieldName(step: Step, field: string, name: string): Step {
  return {
    ...step,
    ...(step.form === undefined
      ? {}
      : { form: Object.fromEntries(Object.entries(step.form).map(([key, text]) => [key === field ? name : key, text])) }),
    ...(step.multipart === undefined ? {} : { multipart: step.multipart.map((part) => (part.name === field ? { ...part, name } : part)) }),
  };
}

export function fieldNames({ form, multipart }: Step): string[] {
  return [...Object.keys(form ?? {}), ...(multipart ?? []).map(({ name }) => name)];
}

/** Returns the recorded name for a field name of the plan, which may contain placeholders. */
export function findRecordedName(name: string, recorded: readonly string[]): string | null {
  if (!hasPlaceholders(name)) return recorded.find((one) => one === unescapePlaceholders(name)) ?? null;
  const pattern = parseTemplate(name).map((part) => (typeof part === 'string' ? escapeRegExp(part) : '.+?'));
  const whole = new RegExp(`^${pattern.join('')}$`, 's');
  return recorded.find((one) => whole.test(one)) ?? null;
}

/** A field name split into fixed texts and numbers: `q`, 7002 and `:1_choice`. */
interface NameParts {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

/** The changing part of a field name, and the finder for it. */
export interface ChangingName {
  readonly from: string;
  readonly finder: Finder;
  readonly before: string;
  readonly after: string;
  readonly value: string;
}

const MAX_NAMES = 2_000;
const NUMBER_PATTERN = '(\\d{1,20})';

/**
 * Returns the number in a field name that differs in each session: `q7002:1_choice` of attempt 7002. Searches the latest earlier page with
 * the field, and the same page of the walk. Returns null for a name that is the same in both pages or has no counterpart.
 */
export function changingName(sessions: Sessions, step: string, field: string): ChangingName | null {
  if (!/\d/.test(field) || /^\d+$/.test(field)) return null;
  const own = splitName(field);
  for (const { step: from, exchanges } of sessions.before(step).toReversed()) {
    const page = exchanges.at(-1);
    if (page === undefined || !listFieldNames(page).includes(field)) continue;
    const walked = sessions.latest.find((one) => one.step === from);
    const other = walked === undefined ? null : lastOf(walked);
    if (other === null || !sessions.isTrusted(from)) return null;
    return findChangingName(from, own, page, other);
  }
  return null;
}

function findChangingName(from: string, own: NameParts, page: Exchange, other: Exchange): ChangingName | null {
  const isAlike = (parts: NameParts): boolean => parts.texts.join('\u0000') === own.texts.join('\u0000');
  const [before, now] = [page, other].map((one) => [...new Set(listFieldNames(one))].map(splitName).filter(isAlike));
  const location = before?.findIndex(({ numbers }) => numbers.join() === own.numbers.join()) ?? -1;
  const counterpart = now?.[location];
  if (counterpart === undefined || now?.some(({ numbers }) => numbers.join() === own.numbers.join()) === true) return null;
  const changed = own.numbers.flatMap((number, index) => (number === counterpart.numbers[index] ? [] : [index]));
  const [first = 0, last = first] = [changed[0], changed.at(-1)];
  const value = textOf(own, first, last);
  const [head, tail] = [textBefore(own, first), textAfter(own, last)];
  const numbers = `(${own.texts.slice(first + 1, last + 1).reduce((pattern, text) => `${pattern}${escapeRegExp(text)}\\d{1,20}`, '\\d{1,20}')})`;
  const pattern = `\\sname=["']?${escapeRegExp(head)}${first === last ? NUMBER_PATTERN : numbers}${escapeRegExp(tail)}["'\\s/>]`;
  for (const which of ['first', 'last'] as const) {
    const finder: Finder = { from: 'body', pattern, ...(which === 'last' ? { which } : {}) };
    if (takeCapture(finder, page) === value && takeCapture(finder, other) === textOf(counterpart, first, last))
      return { from, finder, before: head, after: tail, value };
  }
  return null;
}

function splitName(name: string): NameParts {
  const pieces = name.split(/(\d+)/);
  return { texts: pieces.filter((_, index) => index % 2 === 0), numbers: pieces.filter((_, index) => index % 2 === 1) };
}

function textBefore({ texts, numbers }: NameParts, end: number): string {
  return texts.slice(0, end + 1).reduce((name, text, index) => `${name}${index === 0 ? '' : (numbers[index - 1] ?? '')}${text}`, '');
}

function textOf({ texts, numbers }: NameParts, first: number, last: number): string {
  return numbers
    .slice(first, last + 1)
    .reduce((name, number, index) => `${name}${index === 0 ? '' : (texts[first + index] ?? '')}${number}`, '');
}

function textAfter({ texts, numbers }: NameParts, last: number): string {
  return numbers.slice(last + 1).reduce((name, number, index) => `${name}${number}${texts[last + 2 + index] ?? ''}`, texts[last + 1] ?? '');
}

const namesByExchange = new WeakMap<Exchange, readonly string[]>();

function listFieldNames(page: Exchange): readonly string[] {
  const before = namesByExchange.get(page);
  if (before !== undefined) return before;
  const names: string[] = [];
  readTags(page.text ?? '', {
    wants: (tag) => /^(input|button|select|textarea)$/.test(tag),
    text: null,
    close() {},
    open: (_tag, attributes) => {
      const name = attributes.get('name') ?? '';
      if (name !== '' && names.length < MAX_NAMES) names.push(name);
    },
  });
  namesByExchange.set(page, names);
  return names;
}
