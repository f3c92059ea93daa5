import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { fillTemplate, namesIn, parseTemplate } from '#core/plan/secrets.ts';
import { literal } from '../placeholders.ts';
import { planLeaves, recordedLeaves } from './leaves.ts';
import { escaped } from './place.ts';
import { headerOf, lastOf, type Walk, type WalkedStep } from './walk.ts';

const TITLE = /<title[^>]{0,200}>[^<]{1,300}<\/title>/i;
const HEADING = /<h1\b[^>]{0,200}>[^<]{1,300}<\/h1>/i;
const LOOKED_AT = 200_000;
/** A shorter value is in a title by chance. */
const SHORTEST_WITHIN = 4;

/** A step of a plan, as it was recorded and as it was walked. */
export interface StepWalks {
  readonly plan: Plan;
  /** The steps up to this one. */
  readonly before: readonly Step[];
  /** The recording first, then each walk that did at this step what the person did. */
  readonly walks: readonly { readonly walk: Walk; readonly own: WalkedStep }[];
}

/**
 * A check of the title of the page that a step brings: an error page with status 200 has another one. A title counts where it was the same in all walks, or the same but
 * for a value that the journey knows. A number in it may be a count, or a date: such a title says nothing of the page.
 */
export function titleCheck({ plan, before, walks }: StepWalks): Step['checks'][number] | null {
  const text = checkedText(
    plan,
    before,
    walks.map(({ walk, own }) => ({ walk, title: elementIn(own, TITLE) })),
  );
  return text === null ? null : checkOf(text, 'title');
}

/** The check of the first h1 of a page. Pages with the same title often differ in their heading. */
export function headingCheck({ plan, before, walks }: StepWalks): Step['checks'][number] | null {
  const text = checkedText(
    plan,
    before,
    walks.map(({ walk, own }) => ({ walk, title: elementIn(own, HEADING) })),
  );
  return text === null ? null : checkOf(text, 'h1');
}

interface Titled {
  readonly walk: Walk;
  readonly title: string | null;
}

/** The title or heading as a text of the plan; null where it is another one in each walk for reasons of its own. */
function checkedText(plan: Plan, steps: readonly Step[], titled: readonly Titled[]): string | null {
  const [first] = titled;
  if (first === undefined || first.title === null) return null;
  const values = titled.map(({ walk }) => valuesIn(plan, steps, walk));
  const text = withNames(first.title, values[0] ?? new Map());
  const names = namesIn(text);
  const isSame = titled.every(
    ({ title }, index) => title === fillTemplate(parseTemplate(text), ({ name }) => values[index]?.get(name) ?? ''),
  );
  // A dash may be written as &#8212;.
  if (!isSame || /\d/.test(fillTemplate(parseTemplate(text), () => '').replaceAll(/<[^>]*>|&#\w{1,10};/g, ''))) return null;
  // A server that writes a capital first does so with some values only.
  const areAsSent = names.every((name) => {
    const sent = values.map((known) => known.get(name) ?? '');
    return sent.some((value) => /^[a-z]/.test(value)) || sent.every((value) => /^\d+$/.test(value));
  });
  return areAsSent ? text : null;
}

/** A title within its tag. One that is spread over lines is looked for by its words; with a value in it, it has to stand on one line. */
function checkOf(title: string, tag: 'title' | 'h1'): Step['checks'][number] | null {
  const [, inner = ''] = /^<[^>]*>([^]*)<[^<]*$/.exec(title) ?? [];
  const words = inner.trim().split(/\s+/);
  if (words.join(' ') === inner) return { kind: 'contains', text: title, not: false };
  if (words[0] === '') return null;
  if (namesIn(title).length > 0) return { kind: 'contains', text: inner.trim(), not: false };
  return { kind: 'matches', pattern: `<${tag}[^>]*>\\s*${words.map(escaped).join('\\s+')}\\s*</${tag}>`, flags: 'i', not: false };
}

function withNames(title: string, values: ReadonlyMap<string, string>): string {
  const [known, ...others] = [...values]
    .filter(([, value]) => title.includes(value))
    .toSorted((one, other) => other[1].length - one[1].length);
  if (known === undefined) return literal(title);
  const rest = new Map(others);
  return title
    .split(known[1])
    .map((part) => withNames(part, rest))
    .join(`{{${known[0]}}}`);
}

/** What a walk sent in the place of each name of the plan: what was captured, and what is drawn for each journey. */
function valuesIn(plan: Plan, steps: readonly Step[], walk: Walk): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const step of steps) {
    const request = walk.find((one) => one.step === step.name)?.exchanges[0];
    const sent = new Map((request === undefined ? [] : recordedLeaves(request)).map((leaf) => [leaf.key, leaf.value]));
    for (const { key, text } of planLeaves(step)) {
      const [before, name, after, ...more] = aroundName(text ?? '');
      const value = sent.get(key);
      if (name === undefined || value === undefined || more.length > 0 || !isKnown(plan, name)) continue;
      const end = value.length - (after ?? '').length;
      const middle = value.slice((before ?? '').length, Math.max(0, end));
      if (`${before ?? ''}${middle}${after ?? ''}` === value && middle.length >= SHORTEST_WITHIN && /^[\w-]+$/.test(middle))
        found.set(name, middle);
    }
  }
  return found;
}

/** Text, name and text of a template with one placeholder. */
function aroundName(text: string): string[] {
  const parts = parseTemplate(text);
  const [first = '', second, third = '', ...more] = typeof parts[0] === 'string' ? parts : ['', ...parts];
  if (typeof first !== 'string' || typeof second !== 'object' || typeof third !== 'string' || more.length > 0) return [];
  return [first, second.name, third];
}

/** The values of a file may be written in ways that no walk has shown. */
function isKnown(plan: Plan, name: string): boolean {
  const variable = getOwn(plan.variables, name);
  return variable === undefined ? !name.includes('.') : variable.kind === 'uuid' && variable.per !== 'request';
}

/** The title or the heading of a page as the page writes it. */
function elementIn(step: WalkedStep, element: RegExp): string | null {
  const last = lastOf(step);
  if (last === null || last.text === null || !/html/i.test(headerOf(last.answerHeaders, 'content-type') ?? '')) return null;
  return element.exec(last.text.slice(0, LOOKED_AT))?.[0] ?? null;
}
