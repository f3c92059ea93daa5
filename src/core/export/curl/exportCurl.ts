import { formEncoded } from '#core/work/journey/escape.ts';
import { jsonText, namesOfStep } from '#core/work/journey/walked.ts';
import { hasSecureTarget } from '#core/plan/hosts/generatorNames.ts';
import type { Issue } from '#core/plan/issues.ts';
import { type Plan, planFields, type Step } from '#core/plan/schema/plan.ts';
import {
  type ExportResult,
  headersBesideAuth,
  hindrance,
  listDuetNotes,
  needsProgram,
  noteFirstServerOnly,
  RESOURCES_NOTE,
  REDIRECT_TARGETS_NOTE,
  REPLACE_VALUES_HINT,
} from '../exported.ts';
import { authOption, command, nulHindrance, type ShellPart, ShellTexts, formatShellWord } from '../shellWords.ts';
import { writeAddress } from '../writtenAddress.ts';
import { readReference } from '#core/plan/secretReference.ts';
import { targetOfStep } from '#core/plan/url.ts';

const DEFAULT_TIMEOUT_SECONDS = planFields.timeoutSeconds.parse(undefined);

/** Exports the requests of a journey as curl commands, one per step in order. */
export function exportCurl(plan: Plan): ExportResult {
  const texts = new ShellTexts(plan);
  const issues = listHindrances(plan, texts);
  if (issues.length > 0) return { kind: 'refused', issues };
  const notes = listNotes(plan);
  const commands = plan.journey.map((step) => buildCommand(plan, step, texts));
  const text = `${commands.join('\n')}\n`;
  const unwritable = nulHindrance(text);
  if (unwritable.length > 0) return { kind: 'refused', issues: unwritable };
  const { environment } = texts;
  return { kind: 'exported', exported: { kind: 'curl', text, files: [], environment, notes } };
}

/** Returns the reasons why a journey cannot be exported. curl sends the same request every time. */
function listHindrances({ journey }: Plan, texts: ShellTexts): Issue[] {
  return journey.flatMap((step, index) => {
    const values = namesOfStep({ ...step, checks: [], poll: undefined }).filter((name) => !texts.isSecret(name));
    const parts = (step.multipart ?? []).filter((part) => 'bytes' in part || 'folder' in part);
    const need = needsProgram(step);
    return [
      ...(need === null ? [] : [hindrance(`journey[${index}]`, `“${step.name}” needs ${need}, which curl does not support.`)]),
      ...(values.length === 0
        ? []
        : [
            hindrance(
              `journey[${index}]`,
              `“${step.name}” needs ${values.map((name) => `{{${name}}}`).join(', ')}. curl sends the same text every time.`,
              REPLACE_VALUES_HINT,
            ),
          ]),
      ...(parts.length === 0
        ? []
        : [
            hindrance(
              `journey[${index}].multipart`,
              `“${step.name}” sends files that are generated or picked from a folder. curl sends files by name.`,
              'Name a file: {name: …, file: PATH}.',
            ),
          ]),
      ...((step.multipart ?? []).every(({ name }) => !name.includes('='))
        ? []
        : [hindrance(`journey[${index}].multipart`, `“${step.name}” sends a part whose name contains =. curl ends the name there.`)]),
      ...(step.method === 'HEAD' && bodyOptions(step, texts).length > 0
        ? [hindrance(`journey[${index}].method`, `“${step.name}” sends HEAD with a body, which curl refuses.`)]
        : []),
    ];
  });
}

function listNotes(plan: Plan): string[] {
  const { targets, journey } = plan;
  const reads = journey.filter((step) => step.checks.length > 0 || step.expectStatus !== undefined || step.poll !== undefined);
  return [
    'curl sends each request once, without load, stages and pass criteria.',
    ...listDuetNotes(plan),
    ...(targets.length > 1 ? [noteFirstServerOnly(targets.length)] : []),
    ...(plan.flow === undefined ? [] : ['Each step is sent once, in the order of the plan.']),
    ...(reads.length === 0 ? [] : ['curl does not check responses. Expected statuses and checks are left out.']),
    ...(journey.some(({ redirects }) => redirects !== undefined && !redirects.mayEndAtLogin)
      ? ['curl also follows redirects to login pages and other servers.']
      : []),
    ...(journey.some(({ redirects }) => redirects?.to !== undefined) ? [REDIRECT_TARGETS_NOTE] : []),
    ...(journey.some(({ again }) => again !== undefined) ? ['Of a list in pages, curl reads the first.'] : []),
    ...(journey.some(({ resources }) => resources !== undefined) ? [RESOURCES_NOTE] : []),
    ...(plan.tls.ca !== undefined || plan.tls.clientCertificate !== undefined
      ? ['Certificates are left out. Name their files with --cacert, --cert and --key.']
      : []),
    ...(plan.connections.firstByteSeconds === undefined ? [] : ['curl has no time limit for the first byte.']),
  ];
}

function buildCommand(plan: Plan, step: Step, texts: ShellTexts): string {
  const target = targetOfStep(plan, step);
  const body = bodyOptions(step, texts);
  const { method } = step;
  const usual = body.length > 0 ? 'POST' : 'GET';
  const options: (readonly string[])[] = [
    ...(method === 'HEAD' ? [['--head']] : method === usual ? [] : [['-X', method]]),
    ...headerOptions(plan, step, texts, body.length > 0),
    ...authOption('-u', plan, step, texts),
    ...(target?.cookie === undefined ? [] : [cookieOption(texts.constant(target.cookie))]),
    ...body,
    ...redirectOptions(step),
    ...connectionOptions(plan),
    ...addressOptions(writeAddress(plan, step, texts)),
  ];
  return command('curl', options);
}

/** Returns the cookie option, or a header if the text may have no `=`, as with a secret: `-b` would then read a file. */
function cookieOption(parts: readonly ShellPart[]): string[] {
  const isText = parts.some((part) => typeof part === 'string' && part.includes('='));
  return isText ? ['-b', formatShellWord(parts)] : ['-H', formatShellWord(['Cookie: ', ...parts])];
}

/** Returns the address, with -g if it contains brackets or braces, which curl would expand. */
function addressOptions(parts: readonly ShellPart[]): string[][] {
  const isPlain = parts.every((part) => typeof part === 'string' && !/[[\]{}]/.test(part));
  return [...(isPlain ? [] : [['-g']]), [formatShellWord(parts)]];
}

function headerOptions(plan: Plan, step: Step, texts: ShellTexts, hasBody: boolean): string[][] {
  const { connections } = plan;
  const merged = new Map<string, { name: string; parts: ShellPart[] }>();
  const type = step.json === undefined ? null : 'application/json';
  for (const [name, value] of headersBesideAuth(plan, step)) merged.set(name.toLowerCase(), { name, parts: texts.constant(value) });
  if (type !== null) merged.set('content-type', { name: 'Content-Type', parts: [type] });
  for (const [name, value] of Object.entries(step.headers)) merged.set(name.toLowerCase(), { name, parts: texts.text(value) });
  if (connections.reuse === 'never') merged.set('connection', { name: 'Connection', parts: ['close'] });
  const isPlain = hasBody && step.form === undefined && step.multipart === undefined && !merged.has('content-type');
  return [
    // `Name:` removes a header; `Name;` sends it empty.
    ...[...merged.values()].map(({ name, parts }) => [
      '-H',
      formatShellWord(parts.every((part) => part === '') ? [`${name};`] : [`${name}: `, ...parts]),
    ]),
    // Without this option, curl adds a Content-Type for forms.
    ...(isPlain ? [['-H', formatShellWord(['Content-Type:'])]] : []),
  ];
}

function bodyOptions(step: Step, texts: ShellTexts): string[][] {
  if (step.form !== undefined) {
    const fields = Object.entries(step.form).map(([name, text]) => [...formParts(texts.text(name)), '=', ...formParts(texts.text(text))]);
    return [['--data-raw', formatShellWord(fields.flatMap((field, index) => (index === 0 ? field : ['&', ...field])))]];
  }
  if (step.multipart !== undefined) return step.multipart.map((part) => partOption(part, texts));
  if (step.json !== undefined) return [['--data-raw', formatShellWord(texts.text(jsonText(step.json)))]];
  if (step.bodyFile !== undefined) return [['--data-binary', formatShellWord([`@${fileArgument(step.bodyFile)}`])]];
  if (step.body === undefined) return [];
  const reference = typeof step.body === 'object' ? readReference(step.body.secret) : null;
  if (reference?.kind === 'file') return [['--data-binary', formatShellWord([`@${fileArgument(reference.path)}`])]];
  return [['--data-raw', formatShellWord(texts.text(step.body))]];
}

function formParts(parts: readonly ShellPart[]): ShellPart[] {
  return parts.map((part) => (typeof part === 'string' ? formEncoded(part) : part));
}

function partOption(part: NonNullable<Step['multipart']>[number], texts: ShellTexts): string[] {
  if ('value' in part && part.type === undefined)
    return ['--form-string', formatShellWord([...texts.text(part.name), '=', ...texts.text(part.value)])];
  if ('value' in part)
    return ['-F', formatShellWord([...texts.text(part.name), '=', ...encloseInQuotes(texts.text(part.value)), `;type=${part.type}`])];
  if ('valueByEnding' in part) return [];
  const file = 'file' in part ? part.file : '';
  // Without a type, curl guesses it from the file name.
  const name = part.fileName === undefined ? [] : [';filename=', ...quoteParts(texts.text(part.fileName))];
  return ['-F', formatShellWord([...texts.text(part.name), '=@', ...quoteParts([fileArgument(file)]), `;type=${part.type}`, ...name])];
}

/** Returns a path that curl does not take for standard input (-). */
function fileArgument(path: string): string {
  return path === '-' ? './-' : path;
}

/** Quotes a name in the value of `-F`, in which ; and , are separators. */
function quoteParts(parts: readonly ShellPart[]): ShellPart[] {
  if (parts.every((part) => typeof part === 'string' && /^[^\s;,"\\]+$/.test(part))) return [...parts];
  return encloseInQuotes(parts);
}

function encloseInQuotes(parts: readonly ShellPart[]): ShellPart[] {
  return ['"', ...parts.map((part) => (typeof part === 'string' ? part.replaceAll(/["\\]/g, String.raw`\$&`) : part)), '"'];
}

function redirectOptions({ redirects }: Step): string[][] {
  if (redirects === undefined) return [];
  return [['-L'], ['--max-redirs', String(redirects.most)]];
}

function connectionOptions(plan: Plan): string[][] {
  const { tls, timeoutSeconds, connections } = plan;
  return [
    ...(tls.verify ? [] : [['-k']]),
    ...(timeoutSeconds === DEFAULT_TIMEOUT_SECONDS ? [] : [['-m', String(timeoutSeconds)]]),
    ...(connections.connectSeconds === undefined ? [] : [['--connect-timeout', String(connections.connectSeconds)]]),
    ...(connections.protocol === 'h2' ? [[hasSecureTarget(plan) ? '--http2' : '--http2-prior-knowledge']] : []),
    ...(connections.socketPath === undefined ? [] : [['--unix-socket', formatShellWord([connections.socketPath])]]),
    ...(connections.resolve ?? []).map((pin) => ['--resolve', formatShellWord([pin])]),
    ...(connections.localAddresses?.[0] === undefined ? [] : [['--interface', formatShellWord([connections.localAddresses[0]])]]),
  ];
}
