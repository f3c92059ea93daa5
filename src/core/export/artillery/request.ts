import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import type { BodyCheck } from '#core/plan/schema/step.ts';
import { countGroups } from '#core/work/journey/capturedTexts.ts';
import { checkLabel } from '#core/work/bodyCheck/errorTexts.ts';
import type { Capture } from '#core/plan/schema/journey.ts';
import type { Step, TextOrSecret } from '#core/plan/schema/plan.ts';
import { findNamedTarget, targetOfStep } from '#core/plan/url.ts';
import { authOfStep, needsProgram, RESOURCES_NOTE, REDIRECT_TARGETS_NOTE } from '../exported.ts';
import { ValueMarks } from '../valueMarks.ts';
import type { ArtilleryDraft } from './draft.ts';

type Block = Record<string, unknown>;

/** Converts a step to an action of a flow. */
export function writeRequest(draft: ArtilleryDraft, step: Step, place: string): Block {
  refuseWhatCannotBe(draft, step, place);
  const own = Object.entries(step.headers).map(([name, value]) => [name, draft.text(value, `${place}.headers`)]);
  const headers = Object.fromEntries([...headersOfNamed(draft, step), ...own]);
  const query = Object.fromEntries(Object.entries(step.query ?? {}).map(([name, value]) => [name, draft.text(value, `${place}.query`)]));
  const captures = (step.captures ?? []).flatMap((capture, index) => writeCapture(draft, capture, `${place}.captures[${index}]`));
  const { expect, match } = writeExpectations(draft, step, place);
  const request: Block = {
    url: urlOf(draft, step, place),
    name: step.name,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...writeAuth(draft, step, place),
    ...(Object.keys(query).length === 0 ? {} : { qs: query }),
    ...bodyOf(draft, step, place),
    ...(step.redirects === undefined ? { followRedirect: false } : {}),
    ...(captures.length === 0 ? {} : { capture: captures.length === 1 ? captures[0] : captures }),
    ...(expect.length === 0 ? {} : { expect }),
    ...(match.length === 0 ? {} : { match: match.length === 1 ? match[0] : match }),
  };
  return { [step.method.toLowerCase()]: request };
}

function writeAuth(draft: ArtilleryDraft, step: Step, place: string): Block {
  const auth = authOfStep(draft.plan, step);
  if (auth === null) return {};
  const writeCredential = (value: TextOrSecret): string => (auth.isOfStep ? draft.text(value, `${place}.auth`) : draft.constant(value));
  return { auth: { user: writeCredential(auth.user), pass: writeCredential(auth.password) } };
}

function refuseWhatCannotBe(draft: ArtilleryDraft, step: Step, place: string): void {
  const need = needsProgram(step);
  if (need !== null) draft.refuse(place, `It needs ${need}, which Artillery does not support.`);
  const refuse = (name: string, message: string): void => draft.refuse(`${place}.${name}`, message);
  if (step.again !== undefined) refuse('again', 'Artillery needs a script function to read on.');
  if (step.poll !== undefined) refuse('poll', 'Artillery needs a script function to poll.');
  if (step.resources !== undefined) draft.note(RESOURCES_NOTE);
  if (step.redirects?.to !== undefined) draft.note(REDIRECT_TARGETS_NOTE);
  if (step.measured === false) draft.note(`“${step.name}” counts like any request.`);
  if (step.background !== undefined) draft.note(`“${step.name}” is left out, because arrivals send nothing beside their journeys.`);
}

/** Returns the headers and the cookie of the named target of a step. */
function headersOfNamed(draft: ArtilleryDraft, step: Step): [string, string][] {
  const { headers = {}, cookie } = findNamedTarget(draft.plan, step) ?? {};
  const all = Object.entries({ ...headers, ...(cookie === undefined ? {} : { Cookie: cookie }) });
  return all.map(([name, value]) => [name, draft.constant(value)]);
}

/** Returns the whole address of a step, because Artillery does not resolve paths against its target. */
function urlOf(draft: ArtilleryDraft, step: Step, place: string): string {
  const base = targetOfStep(draft.plan, step)?.url ?? '';
  const written = draft.text(step.path, `${place}.path`);
  const marks = new ValueMarks<string>([base, written]);
  const text = written.replaceAll(/\{\{[^{}]*\}\}/g, (value) => marks.mark(value));
  const begins = written.startsWith('{{');
  const url = new URL(begins ? `/${text}` : text, base);
  const isElsewhere = url.origin !== new URL(draft.plan.targets[0]?.url ?? base).origin;
  const path = marks.parseMarks(`${isElsewhere ? url.origin : ''}${url.pathname}${url.search}`, (part) => part).join('');
  if (text !== written) draft.note('Artillery does not escape values in addresses.');
  return begins ? path.slice(1) : path;
}

function bodyOf(draft: ArtilleryDraft, step: Step, place: string): Block {
  const text = (value: string): string => draft.text(value, place);
  if (step.form !== undefined)
    return { form: Object.fromEntries(Object.entries(step.form).map(([name, value]) => [text(name), text(value)])) };
  if (step.json !== undefined) return { json: translateValue(step.json, text) };
  if (step.multipart !== undefined) {
    const parts = step.multipart.flatMap((part): [string, unknown][] => {
      if ('value' in part) {
        if (part.type !== undefined) draft.note(`The form field ${part.name} is sent without its type.`);
        return [[text(part.name), text(part.value)]];
      }
      if ('file' in part) {
        draft.note(`Artillery reads ${part.file} itself.`);
        return [[text(part.name), { fromFile: part.file }]];
      }
      draft.refuse(
        `${place}.multipart`,
        'Artillery sends files by name. These are generated or picked from a folder.',
        'Name a file, or export it for k6.',
      );
      return [];
    });
    return { formData: Object.fromEntries(parts) };
  }
  return step.body === undefined ? {} : { body: draft.text(step.body, `${place}.body`) };
}

function translateValue(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item: unknown) => translateValue(item, text));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), translateValue(member, text)]));
  return value;
}

function writeCapture(draft: ArtilleryDraft, capture: Capture, place: string): Block[] {
  const valueName = draft.valueName(capture.as);
  const refuse = (message: string): Block[] => {
    draft.refuse(place, message);
    return [];
  };
  switch (capture.from) {
    case 'json':
      if (isProgram(capture.path)) return refuse('Artillery runs text in parentheses in a path as code.');
      // Artillery captures one random value of several; a list at one path is captured as a whole.
      if (capture.which === 'last') return refuse('Artillery captures a whole list or one random item.');
      if (capture.path.includes('[*]') && capture.which !== 'random' && capture.which !== 'all')
        return refuse('Artillery captures all values of [*] or one random value.');
      if (capture.path.includes('[*]'))
        return [{ json: capture.path, as: valueName, ...(capture.which === 'all' ? { multiple: false } : {}) }];
      return [{ json: capture.which === 'random' ? `${capture.path}[*]` : capture.path, as: valueName }];
    case 'body':
      if (capture.which !== 'first') return refuse('Artillery uses the first match of a regular expression.');
      if (capture.html) draft.note('HTML entities in captured values stay encoded.');
      return [{ regexp: capture.pattern, ...(capture.flags === '' ? {} : { flags: capture.flags }), ...makeGroup(capture), as: valueName }];
    case 'between':
      if (capture.which !== 'first') return refuse('Artillery captures the first match only.');
      return [{ regexp: `${literalPattern(capture.after)}([\\s\\S]*?)${literalPattern(capture.before)}`, group: 1, as: valueName }];
    case 'header':
      return capture.pattern === undefined
        ? [{ header: capture.name.toLowerCase(), as: valueName }]
        : refuse('Artillery captures whole headers.');
    case 'cookie':
      return refuse('Artillery does not capture from cookies.');
    case 'form':
    case 'loginForm':
      return refuse('Artillery does not read forms.');
    default:
      return capture satisfies never;
  }
}

/** Returns whether Artillery's path library would run the path: it evaluates `(…)` as JavaScript, also in quoted names. */
function isProgram(path: string): boolean {
  return /[()]/.test(path);
}

/** Returns the group of a capture; Artillery uses the whole match if it is omitted. */
function makeGroup({ pattern, flags, group }: Extract<Capture, { from: 'body' }>): { group?: number } {
  const first = countGroups(pattern, flags) > 0 ? 1 : 0;
  const wanted = group ?? first;
  return wanted === 0 ? {} : { group: wanted };
}

function literalPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function writeExpectations(draft: ArtilleryDraft, step: Step, place: string): { expect: Block[]; match: Block[] } {
  const expect: Block[] = [];
  const match: Block[] = [];
  const [only, ...others] = step.expectStatus ?? [];
  if (only !== undefined) expect.push({ statusCode: others.length === 0 ? only : [only, ...others] });
  else draft.note('Without an expected status, Artillery accepts any response, and Holdfast any 2xx.');
  for (const check of step.checks) {
    const made = writeExpectation(draft, check, place);
    if (made === null) draft.note(`Left out: the check ${checkLabel(check)} of “${step.name}”.`);
    else (made.isMatch ? match : expect).push(made.block);
  }
  return { expect, match };
}

function writeExpectation(draft: ArtilleryDraft, check: BodyCheck, place: string): { isMatch: boolean; block: Block } | null {
  if (check.kind === 'size' || check.kind === 'page' || check.not) return null;
  if (check.kind === 'contains') {
    const text = draft.text(check.text, place);
    return text.includes('{{') ? null : { isMatch: false, block: { matchesRegexp: literalPattern(text) } };
  }
  if (check.kind === 'matches') return check.flags === '' ? { isMatch: false, block: { matchesRegexp: check.pattern } } : null;
  if (isProgram(check.path)) return null;
  const path = parseJsonPath(check.path);
  if (check.equals === undefined)
    return path === null || path.length === 0 ? null : { isMatch: false, block: { hasProperty: check.path.replace(/^\$\.?/, '') } };
  return typeof check.equals === 'string' ? { isMatch: true, block: { json: check.path, value: draft.text(check.equals, place) } } : null;
}
