import type { BodyCheck, Step } from '#core/plan/schema/step.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { hasPlaceholders, listPlaceholderNames } from '#core/plan/secrets.ts';

/** A text of a step that may contain placeholders, and its path in the step. */
interface StepText {
  readonly path: string;
  readonly text: string;
}

/** Returns all texts of a step that may contain placeholders. */
export function listTexts(step: Step): StepText[] {
  const clearText = (path: string, value: unknown): StepText[] => (typeof value === 'string' ? [{ path, text: value }] : []);
  return [
    { path: 'path', text: step.path },
    ...Object.entries(step.query ?? {}).map(([name, text]) => ({ path: `query.${name}`, text })),
    ...Object.entries(step.headers).flatMap(([name, value]) => clearText(`headers.${name}`, value)),
    ...Object.entries(step.auth ?? {}).map(([name, text]) => ({ path: `auth.${name}`, text })),
    ...clearText('body', step.body),
    ...Object.entries(step.form ?? {}).flatMap(([name, text]) => [name, text].map((each) => ({ path: `form.${name}`, text: each }))),
    ...(step.multipart ?? []).flatMap((part, index) => textsOfPart(part).map((text) => ({ path: `multipart[${index}]`, text }))),
    ...(step.json === undefined ? [] : [{ path: 'json', text: jsonText(step.json) }]),
    ...(step.stream?.send?.messages ?? []).map((text, index) => ({ path: `stream.send.messages[${index}]`, text })),
    ...(step.captures ?? []).flatMap((capture, index) =>
      capture.from === 'form' && capture.text !== undefined ? [{ path: `captures[${index}].text`, text: capture.text }] : [],
    ),
    ...(step.redirects?.to ?? []).map((text, index) => ({ path: `redirects.to[${index}]`, text })),
    ...step.checks.flatMap((check, index) => textsOfCheck(check).map((text) => ({ path: `checks[${index}]`, text }))),
    ...(step.poll?.until ?? []).flatMap((check, index) => textsOfCheck(check).map((text) => ({ path: `poll.until[${index}]`, text }))),
  ];
}

/** Returns the JSON to send. A text that consists of `{{name|raw}}` loses its quotes. */
export function jsonText(value: Exclude<Step['json'], undefined>): string {
  return (
    JSON.stringify(value)
      .replaceAll(/"(\{\{\s*[A-Za-z_][\w.-]*\s*\|\s*raw\s*\}\})"/g, '$1')
      // The backslash of `\{{` is an escape of the plan. JSON.stringify doubled it, so it is restored.
      .replaceAll(String.raw`\\{{`, String.raw`\{{`)
  );
}

function textsOfPart(part: NonNullable<Step['multipart']>[number]): string[] {
  if ('value' in part) return [part.name, part.value];
  if ('valueByEnding' in part) return [part.name, ...Object.values(part.valueByEnding)];
  return part.fileName === undefined ? [part.name] : [part.name, part.fileName];
}

/** Returns the texts of a check that may contain placeholders. */
export function textsOfCheck(check: BodyCheck): string[] {
  if (check.kind === 'contains') return [check.text];
  return check.kind === 'json' && typeof check.equals === 'string' ? [check.equals] : [];
}

/** Returns the placeholder names of a step, each once. */
export function namesOfStep(step: Step): string[] {
  return [...new Set(listTexts(step).flatMap(({ text }) => listPlaceholderNames(text)))];
}

/** Returns how long cookies and captured values are kept. */
export function cookiesOf(plan: Pick<Plan, 'cookies' | 'journey' | 'flow'>): 'journey' | 'user' | 'ignore' {
  if (plan.cookies !== undefined) return plan.cookies;
  if (plan.journey.some(({ once }) => once === true)) return 'user';
  if (plan.flow !== undefined) return 'journey';
  return plan.journey.some((step) => step.form !== undefined || step.multipart !== undefined || needsJourneyEngine(step))
    ? 'journey'
    : 'ignore';
}

/** Returns the path of the first feature that needs more than repeated equal requests; null if there is none. */
export function findWalkField(plan: Pick<Plan, 'cookies' | 'journey' | 'flow'>): string | null {
  const index = plan.journey.findIndex(needsJourneyEngine);
  if (index >= 0) return `journey[${index}]`;
  if (plan.flow !== undefined) return 'flow';
  return cookiesOf(plan) === 'ignore' ? null : 'cookies';
}

/** Members of a step that need more than repeated equal requests, whatever their value. */
const NATIVE_ONLY_MEMBERS = [
  'target',
  'gate',
  'reload',
  'bodyFile',
  'redirects',
  'poll',
  'again',
  'resources',
  'stream',
  'confirms',
  'places',
  'thinkTime',
  'background',
] as const satisfies (keyof Step)[];

function needsJourneyEngine(step: Step): boolean {
  const { captures = [], once, required, measured, multipart = [] } = step;
  const isMarked = once === true || required === true || measured === false;
  return (
    isMarked ||
    captures.length > 0 ||
    NATIVE_ONLY_MEMBERS.some((member) => step[member] !== undefined) ||
    multipart.some((part) => 'folder' in part) ||
    listTexts(step).some(({ text }) => hasPlaceholders(text))
  );
}

/** Returns the paths of all files that a plan sends, each once. */
export function listUploads(plan: Pick<Plan, 'journey'>): string[] {
  const bodies = plan.journey.flatMap(({ bodyFile }) => bodyFile ?? []);
  return [...new Set([...listParts(plan).flatMap((part) => ('file' in part ? [part.file] : [])), ...bodies])];
}

/** Returns the paths of all folders whose files a plan sends, each once. */
export function listUploadFolders(plan: Pick<Plan, 'journey'>): string[] {
  return [...new Set(listParts(plan).flatMap((part) => ('folder' in part ? [part.folder] : [])))];
}

/** Returns the path of a file in a folder. */
export function pathInFolder(folder: string, name: string): string {
  return `${folder.replace(/[/\\]+$/, '')}/${name}`;
}

function listParts({ journey }: Pick<Plan, 'journey'>) {
  return journey.flatMap(({ multipart }) => multipart ?? []);
}

/** Returns whether generated files of a type must contain text, because servers reject other bytes or fail later. */
export function isTextType(type: string): boolean {
  return type.toLowerCase().startsWith('text/');
}
