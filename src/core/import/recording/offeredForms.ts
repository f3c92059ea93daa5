import { captureSchema } from '#core/plan/schema/journey.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { formEncoded } from '#core/work/journey/escape.ts';
import { type Control, listControls, labelKey } from '#core/work/pages/offeredForm.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { listTrustedSteps } from './compareWalks.ts';
import { findRecordedName } from './fieldNames.ts';
import { listLeaves } from './leaves.ts';
import type { FoundValue } from './schema.ts';
import { type Exchange, lastOf, type Walk } from './walk.ts';

/** A step that sends a form with choices or text areas. */
interface SentForm {
  readonly step: Step;
  /** The step whose page contains the form. */
  readonly from: string;
  /** A field that identifies the form. */
  readonly field: string;
  readonly controls: readonly Control[];
  readonly sent: ReadonlyMap<string, string>;
}

const CHOICE_TYPES = new Set(['radio', 'checkbox']);
const MAX_LABELS = 200;

/**
 * Changes the steps that send a form if walks show that its page shuffles questions or choices. These steps then send the form as the page
 * offers it: with the recorded choices, found by their labels, or else random ones, and with the recorded text.
 */
export function fillOfferedForms(plan: Plan, recorded: Walk, walks: readonly Walk[]): { plan: Plan; forms: FoundValue[] } {
  const trusted = walks.map((walk) => ({ walk, steps: listTrustedSteps(recorded, walk) }));
  const isShuffled = (from: string, form: readonly Control[]): boolean =>
    trusted.some(({ walk, steps }) => {
      const page = steps.has(from) ? findPage(walk, from) : null;
      return page !== null && !listForms(page).some((other) => shapeOf(other) === shapeOf(form));
    });
  const sentForms = plan.journey.flatMap((step) => findSentForm(plan, recorded, step) ?? []);
  // A form once found to be shuffled counts as shuffled, because a later walk may show the same question as the recording by chance.
  const known = new Set([
    ...plan.journey.flatMap(({ captures }) => (captures ?? []).flatMap((capture) => (capture.from === 'form' ? [capture.field] : []))),
    ...sentForms.filter(({ from, controls }) => isShuffled(from, controls)).map(({ field }) => field),
  ]);
  const shuffled = sentForms.filter(({ field }) => known.has(field));
  const labels = [...new Set(shuffled.flatMap(chosenLabels))].slice(0, MAX_LABELS);
  const [text] = shuffled.flatMap(listEnteredTexts);
  let current = plan;
  const forms: FoundValue[] = [];
  for (const { step, from, field, controls, sent } of shuffled) {
    const name = freeName(current);
    const capture = captureSchema.parse({
      from: 'form',
      as: name,
      field,
      ...(labels.length === 0 ? {} : { labels }),
      ...(text === undefined ? {} : { text }),
    });
    const offered = new Set(controls.map((control) => control.name));
    const others = listFields(step).filter(([written]) => !offered.has(findRecordedName(written, [...sent.keys()]) ?? ''));
    const { form: _form, multipart: _parts, ...rest } = step;
    const headers = Object.fromEntries(Object.entries(step.headers).filter(([header]) => !/^content-type$/i.test(header)));
    const body = [`{{${name}|raw}}`, ...others.map((pair) => pair.map(encodeTemplate).join('='))].join('&');
    const sending: Step = { ...rest, headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }, body };
    const journey = current.journey.map((one) => {
      if (one.name === step.name) return { ...sending, ...(one.captures === undefined ? {} : { captures: one.captures }) };
      return one.name === from ? { ...one, captures: [...(one.captures ?? []), capture] } : one;
    });
    current = { ...current, journey };
    forms.push({ name, from, kind: 'field', called: field, usedIn: step.name, usedAs: '' });
  }
  return { plan: current, forms };
}

function findSentForm(plan: Plan, recorded: Walk, step: Step): SentForm | null {
  const fields = listFields(step);
  const request = recorded.find((one) => one.step === step.name)?.exchanges[0];
  if (fields.length === 0 || request === undefined || step.multipart?.some((part) => !('value' in part)) === true) return null;
  const sent = new Map(
    listLeaves(request).flatMap(({ location, name, value }) =>
      location === 'form' || location === 'part' ? [[name, value] as const] : [],
    ),
  );
  const end = plan.journey.findIndex(({ name }) => name === step.name);
  for (const { name: from } of plan.journey.slice(0, end).toReversed()) {
    const page = findPage(recorded, from);
    const controls =
      page === null ? undefined : listForms(page).find((form) => form.some((control) => isAnswer(control) && sent.has(control.name)));
    if (controls === undefined) continue;
    const hidden = controls.find(({ type, name }) => type === 'hidden' && sent.has(name) && !/\d/.test(name));
    const answer = controls.find((control) => isAnswer(control) && sent.has(control.name));
    const field = hidden?.name ?? answer?.name.replaceAll(/\d+/g, '*');
    return field === undefined || !controls.some(isAnswer) ? null : { step, from, field, controls, sent };
  }
  return null;
}

function listFields({ form, multipart }: Step): [name: string, text: string][] {
  return [
    ...Object.entries(form ?? {}),
    ...(multipart ?? []).flatMap((part): [string, string][] => ('value' in part ? [[part.name, part.value]] : [])),
  ];
}

function isAnswer({ type }: Control): boolean {
  return CHOICE_TYPES.has(type) || type === 'textarea';
}

function findPage(walk: Walk, step: string): Exchange | null {
  const walked = walk.find((one) => one.step === step);
  const last = walked === undefined ? null : lastOf(walked);
  return last?.text == null ? null : last;
}

/** Returns the fields of each form of a page, without buttons. */
function listForms({ text }: Exchange): Control[][] {
  const forms = Map.groupBy(
    listControls(text ?? '').filter(({ form, name, type }) => form >= 0 && name !== '' && !/^(submit|button|image|reset|file)$/.test(type)),
    ({ form }) => form,
  );
  return [...forms.values()];
}

/** Describes the questions and choices of a form. Numbers in field names are ignored. */
function shapeOf(form: readonly Control[]): string {
  return form
    .filter(isAnswer)
    .map(({ type, name, label }) => `${type} ${name.replaceAll(/\d+/g, '*')} ${labelKey(label)}`)
    .join('\n');
}

function chosenLabels({ controls, sent }: SentForm): string[] {
  return controls.flatMap(({ type, name, value, label }) =>
    CHOICE_TYPES.has(type) && sent.get(name) === (value === '' ? 'on' : value) && labelKey(label) !== ''
      ? [label.replaceAll(/\s+/g, ' ').trim().slice(0, 300)]
      : [],
  );
}

/** Returns the text that the person entered, as the plan contains it. */
function listEnteredTexts({ step, controls, sent }: SentForm): string[] {
  return listFields(step).flatMap(([written, text]) => {
    const control = controls.find(({ type, name }) => type === 'textarea' && findRecordedName(written, [name]) !== null);
    return control !== undefined && sent.get(control.name) !== control.value && text !== '' && text.length <= 10_000 ? [text] : [];
  });
}

function encodeTemplate(text: string): string {
  return parseTemplate(text)
    .map((part) => (typeof part === 'string' ? escapePlaceholders(formEncoded(part)) : `{{${part.name}}}`))
    .join('');
}

function freeName({ journey, variables, feeds }: Plan): string {
  const taken = new Set([
    ...journey.flatMap(({ captures }) => (captures ?? []).map(({ as }) => as)),
    ...Object.keys(variables ?? {}),
    ...Object.keys(feeds ?? {}),
  ]);
  let name = 'answers';
  for (let number = 2; taken.has(name); number += 1) name = `answers_${number}`;
  return name;
}
