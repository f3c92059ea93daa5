import type { Step } from '#core/plan/schema/plan.ts';
import { readTags } from '#core/work/pages/readTags.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { escapeRegExp } from './valueLocation.ts';
import { takeCapture } from './takeCapture.ts';
import type { StepWalks } from './titleChecks.ts';
import { lastOf, type Walk } from './walk.ts';

type Check = Step['checks'][number];

const MAX_TAG_LENGTH = 500;

/**
 * Returns a check that the sent form does not come again. A server that accepts an answer shows the next question, whose form has another
 * number. The same number means a refusal, whatever the title. Returns null if the recording and the walks do not all show a number.
 */
export function findSentFormCheck(step: Step, { before, walks }: StepWalks): Check | null {
  const sent = [
    ...Object.entries(step.form ?? {}),
    ...(step.multipart ?? []).flatMap((part): [string, string][] => ('value' in part ? [[part.name, part.value]] : [])),
  ];
  for (const [field, text] of sent) {
    const name = /^\{\{([\w-]+)\}\}$/.exec(text)?.[1];
    const capturingStep = before.find(({ captures }) => captures?.some(({ as }) => as === name));
    const capture = capturingStep?.captures?.find(({ as }) => as === name);
    if (name === undefined || capturingStep === undefined || capture === undefined) continue;
    const { as: _as, ...finder } = capture;
    const tags = walks.map(({ walk, own }) => {
      const form = findPage(walk, capturingStep.name);
      const value = form === null ? null : takeCapture(finder, form);
      const tag = form?.text == null || value === null || !/^\d+$/.test(value) ? null : findTag(form.text, field, value);
      const page = lastOf(own)?.text ?? null;
      if (tag === null || value === null || page === null || page.includes(tag) || !hasField(page, field)) return null;
      return tag.replace(new RegExp(`(\\svalue=["']?)${value}`), (_, sign: string) => `${sign}\u0000`);
    });
    const [first] = tags;
    if (first == null || tags.some((tag) => tag !== first)) continue;
    return { kind: 'contains', text: escapePlaceholders(first).replace('\u0000', `{{${name}}}`), not: true };
  }
  return null;
}

function findPage(walk: Walk, step: string): ReturnType<typeof lastOf> {
  const walked = walk.find((one) => one.step === step);
  return walked === undefined ? null : lastOf(walked);
}

/** Returns the tag of a field with this value, as the page contains it. */
function findTag(page: string, field: string, value: string): string | null {
  const within = `[^>]{0,${MAX_TAG_LENGTH}}`;
  const named = `(?=${within}\\sname=["']?${escapeRegExp(field)}["'\\s/>])`;
  return new RegExp(`<input${named}(?=${within}\\svalue=["']?${value}["'\\s/>])${within}>`, 'i').exec(page)?.[0] ?? null;
}

function hasField(page: string, field: string): boolean {
  let isThere = false;
  readTags(page, {
    wants: (tag) => tag === 'input',
    text: null,
    close() {},
    open: (_tag, attributes) => {
      isThere ||= attributes.get('name') === field;
    },
  });
  return isThere;
}
