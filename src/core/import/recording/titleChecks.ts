import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { fillTemplate, listPlaceholderNames, parseTemplate } from '#core/plan/secrets.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { planLeaves, listLeaves } from './leaves.ts';
import { escapeRegExp } from './valueLocation.ts';
import { headerOf, lastOf, type Walk, type WalkedStep } from './walk.ts';

const TITLE_PATTERN = /<title[^>]{0,200}>[^<]{1,300}<\/title>/i;
const HEADING_PATTERN = /<h1\b[^>]{0,200}>[^<]{1,300}<\/h1>/i;
const MAX_SEARCHED_CHARACTERS = 200_000;
/** Minimum length of a value that is replaced in a title. A shorter value may occur there by chance. */
const MIN_VALUE_LENGTH = 4;

/** A step of a plan, with its recording and its walks. */
export interface StepWalks {
  readonly plan: Plan;
  /** The steps up to and including this one. */
  readonly before: readonly Step[];
  /** The recording first, then each walk whose step does not differ from the recording. */
  readonly walks: readonly { readonly walk: Walk; readonly own: WalkedStep }[];
}

/**
 * Returns a check of the page title, because an error page with status 200 has another title. The title must be the same in all walks,
 * apart from values that the journey knows. A title with any other number is not checked, because the number may be a count or a date.
 */
export function titleCheck({ plan, before, walks }: StepWalks): Step['checks'][number] | null {
  const text = findCheckedText(
    plan,
    before,
    walks.map(({ walk, own }) => ({ walk, title: findElement(own, TITLE_PATTERN) })),
  );
  return text === null ? null : readCheck(text, 'title');
}

/** Returns a check of the first h1 of a page. Pages with the same title often have different headings. */
export function headingCheck({ plan, before, walks }: StepWalks): Step['checks'][number] | null {
  const text = findCheckedText(
    plan,
    before,
    walks.map(({ walk, own }) => ({ walk, title: findElement(own, HEADING_PATTERN) })),
  );
  return text === null ? null : readCheck(text, 'h1');
}

interface WalkWithTitle {
  readonly walk: Walk;
  readonly title: string | null;
}

/** Returns the title or heading as a text of the plan; null if it differs between walks in anything but the known values. */
function findCheckedText(plan: Plan, steps: readonly Step[], titled: readonly WalkWithTitle[]): string | null {
  const [first] = titled;
  if (first === undefined || first.title === null) return null;
  const values = titled.map(({ walk }) => collectValues(plan, steps, walk));
  const text = replaceValuesByNames(first.title, values[0] ?? new Map());
  const names = listPlaceholderNames(text);
  const isSame = titled.every(
    ({ title }, index) => title === fillTemplate(parseTemplate(text), ({ name }) => values[index]?.get(name) ?? ''),
  );
  // Numbers are ignored inside character references, because a dash may be written as &#8212;.
  if (!isSame || /\d/.test(fillTemplate(parseTemplate(text), () => '').replaceAll(/<[^>]*>|&#\w{1,10};/g, ''))) return null;
  // If a server capitalizes values, only values that begin with a small letter show it.
  const areAsSent = names.every((name) => {
    const sent = values.map((known) => known.get(name) ?? '');
    return sent.some((value) => /^[a-z]/.test(value)) || sent.every((value) => /^\d+$/.test(value));
  });
  return areAsSent ? text : null;
}

/**
 * Returns a check of a title with its tag. A title over several lines is checked without the tag if it contains a value, and otherwise word
 * by word.
 */
function readCheck(title: string, tag: 'title' | 'h1'): Step['checks'][number] | null {
  const [, inner = ''] = /^<[^>]*>([^]*)<[^<]*$/.exec(title) ?? [];
  const words = inner.trim().split(/\s+/);
  if (words.join(' ') === inner) return { kind: 'contains', text: title, not: false };
  if (words[0] === '') return null;
  if (listPlaceholderNames(title).length > 0) return { kind: 'contains', text: inner.trim(), not: false };
  return { kind: 'matches', pattern: `<${tag}[^>]*>\\s*${words.map(escapeRegExp).join('\\s+')}\\s*</${tag}>`, flags: 'i', not: false };
}

function replaceValuesByNames(title: string, values: ReadonlyMap<string, string>): string {
  const [known, ...others] = [...values]
    .filter(([, value]) => title.includes(value))
    .toSorted((one, other) => other[1].length - one[1].length);
  if (known === undefined) return escapePlaceholders(title);
  const rest = new Map(others);
  return title
    .split(known[1])
    .map((part) => replaceValuesByNames(part, rest))
    .join(`{{${known[0]}}}`);
}

/** Returns the values that a walk sent for each placeholder of the plan: captured and drawn ones. */
function collectValues(plan: Plan, steps: readonly Step[], walk: Walk): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const step of steps) {
    const request = walk.find((one) => one.step === step.name)?.exchanges[0];
    const sent = new Map((request === undefined ? [] : listLeaves(request)).map((leaf) => [leaf.key, leaf.value]));
    for (const { key, text } of planLeaves(step)) {
      const [before, name, after, ...more] = splitAroundName(text ?? '');
      const value = sent.get(key);
      if (name === undefined || value === undefined || more.length > 0 || !isKnown(plan, name)) continue;
      const end = value.length - (after ?? '').length;
      const middle = value.slice((before ?? '').length, Math.max(0, end));
      if (`${before ?? ''}${middle}${after ?? ''}` === value && middle.length >= MIN_VALUE_LENGTH && /^[\w-]+$/.test(middle))
        found.set(name, middle);
    }
  }
  return found;
}

/** Splits a template with one placeholder into the text before, the name, and the text after. */
function splitAroundName(text: string): string[] {
  const parts = parseTemplate(text);
  const [first = '', second, third = '', ...more] = typeof parts[0] === 'string' ? parts : ['', ...parts];
  if (typeof first !== 'string' || typeof second !== 'object' || typeof third !== 'string' || more.length > 0) return [];
  return [first, second.name, third];
}

/** Returns whether the value of a name may be in a title. Values from a file are excluded, because pages may show them in another form. */
function isKnown(plan: Plan, name: string): boolean {
  const variable = getOwn(plan.variables, name);
  return variable === undefined ? !name.includes('.') : variable.kind === 'uuid' && variable.per !== 'request';
}

/** Returns the title or heading with its tag, as the page contains it. */
function findElement(step: WalkedStep, element: RegExp): string | null {
  const last = lastOf(step);
  if (last === null || last.text === null || !/html/i.test(headerOf(last.responseHeaders, 'content-type') ?? '')) return null;
  return element.exec(last.text.slice(0, MAX_SEARCHED_CHARACTERS))?.[0] ?? null;
}
