import { formEncoded } from '#core/work/journey/escape.ts';
import { jsonText, namesOfStep } from '#core/work/journey/walked.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import type { Issue } from '#core/plan/issues.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { ConnectionsStage } from '#core/plan/schema/load.ts';
import {
  type ExportedFile,
  type ExportResult,
  headersBesideAuth,
  hindrance,
  noteFirstServerOnly,
  UNIX_SOCKET_HINT,
  PIN_IN_HOSTS_FILE,
  REPLACE_VALUES_HINT,
} from '../exported.ts';
import { authOption, command, nulHindrance, type ShellPart, ShellTexts, formatShellWord } from '../shellWords.ts';
import { writeAddress } from '../writtenAddress.ts';
import { readReference } from '#core/plan/secretReference.ts';
import { targetOfStep } from '#core/plan/url.ts';

/** Maximum number of requests of a timed run, because ab allocates memory for every request that it may send. */
const MAX_TIMED_REQUESTS = 5_000_000;
const BODY_FILE = 'body.txt';

/** Exports a plan of one request as an ab command. */
export function exportAb(plan: Plan): ExportResult {
  const texts = new ShellTexts(plan);
  const issues = listHindrances(plan, texts);
  const [step] = plan.journey;
  const stages = plan.load.model === 'connections' ? plan.load.stages : [];
  const stage = stages.find(({ counted }) => counted) ?? stages[0];
  if (issues.length > 0 || step === undefined || stage === undefined) return { kind: 'refused', issues };
  const body = bodyOf(step);
  const notes = listNotes(plan, step, stage, stages);
  const options = [...amountOptions(stage), ...requestOptions(plan, step, texts, body), [formatShellWord(writeAddress(plan, step, texts))]];
  const text = `${command('ab', options)}\n`;
  const unwritable = nulHindrance(text);
  if (unwritable.length > 0) return { kind: 'refused', issues: unwritable };
  return { kind: 'exported', exported: { kind: 'ab', text, files: body.files, environment: texts.environment, notes } };
}

function listHindrances(plan: Plan, texts: ShellTexts): Issue[] {
  const [step] = plan.journey;
  const issues: Issue[] = [];
  const refuse = (path: string, message: string, hint?: string): void => {
    issues.push(hindrance(path, message, hint));
  };
  if (plan.journey.length > 1 || plan.flow !== undefined)
    refuse(
      'journey',
      'ab requests one address. The journey of the plan has several steps.',
      'Export it for k6 or Artillery, or each step separately.',
    );
  if (plan.load.model !== 'connections') refuse('load.model', `ab supports fixed connections only. The plan has ${plan.load.model}.`);
  else if (plan.load.stages.filter(({ counted }) => counted).length > 1)
    refuse('load.stages', 'ab supports one stage. The plan counts several.', 'Export one at a time, or all for k6.');
  if (plan.connections.protocol === 'h2') refuse('connections.protocol', 'ab speaks HTTP/1.1 only.', 'Export it for k6 or curl.');
  if (step === undefined) return issues;
  const values = namesOfStep({ ...step, checks: [], poll: undefined }).filter((name) => !texts.isSecret(name));
  if (values.length > 0)
    refuse(
      'journey[0]',
      `The request needs ${values.map((name) => `{{${name}}}`).join(', ')}. ab sends the same request every time.`,
      REPLACE_VALUES_HINT,
    );
  if (step.multipart !== undefined) refuse('journey[0].multipart', 'ab does not support forms with files.', 'Export it for curl or k6.');
  if (step.redirects !== undefined) refuse('journey[0].redirects', 'ab does not follow redirects.', 'Use the address that they lead to.');
  if (step.again !== undefined) refuse('journey[0].again', 'ab does not read responses, so it cannot read on.');
  if (step.poll !== undefined) refuse('journey[0].poll', 'ab does not read responses, so it cannot poll.');
  if (step.resources !== undefined)
    refuse('journey[0].resources', 'ab does not fetch the files of a page.', 'Remove resources, or export it for k6.');
  if (plan.connections.resolve !== undefined) refuse('connections.resolve', 'ab asks the system for addresses.', PIN_IN_HOSTS_FILE);
  if (plan.connections.socketPath !== undefined) refuse('connections.socketPath', 'ab connects over the network only.', UNIX_SOCKET_HINT);
  if (typeof step.body === 'object' && readReference(step.body.secret)?.kind !== 'file')
    refuse(
      'journey[0].body',
      'ab reads the body from a file. The body of the plan is a secret, which Holdfast does not write to files.',
      'Put it into a file yourself: body: {secret: file:PATH}.',
    );
  if (
    namesOfStep({ ...step, path: '', query: {}, headers: {}, auth: undefined, checks: [], poll: undefined }).some((name) =>
      texts.isSecret(name),
    )
  )
    refuse(
      'journey[0]',
      'ab reads the body from a file. Holdfast does not write secrets to files.',
      'Put the body into a file yourself: body: {secret: file:PATH}.',
    );
  return issues;
}

function listNotes(plan: Plan, step: Step, stage: ConnectionsStage, stages: readonly ConnectionsStage[]): string[] {
  const others = stages.flatMap((each, index) => (each === stage ? [] : [`“${stageName(plan, index)}”`]));
  const isSecure = targetOfStep(plan, step)?.url.startsWith('https:') === true;
  return [
    'ab uses HTTP/1.0. The pass criteria of the plan are not in its command.',
    ...(plan.targets.length > 1 ? [noteFirstServerOnly(plan.targets.length)] : []),
    ...(others.length === 0 ? [] : [`Left out: ${others.join(', ')}.`]),
    ...(stage.seconds === undefined ? [] : [`It ends after ${toWholeSeconds(stage.seconds)} s or 5,000,000 requests.`]),
    ...(step.checks.length > 0 || step.expectStatus !== undefined ? ['ab does not check responses: any 2xx is successful.'] : []),
    ...(isSecure && plan.tls.verify ? ['ab does not verify certificates.'] : []),
    ...(plan.connections.connectSeconds !== undefined || plan.connections.firstByteSeconds !== undefined
      ? ['Time limits for connecting and for the first byte are left out.']
      : []),
    ...(step.thinkTime === undefined ? [] : ['ab does not pause.']),
  ];
}

/** Rounds to whole seconds, at least 1: ab supports no fractions. */
function toWholeSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}

function amountOptions({ connections, requests, seconds }: ConnectionsStage): string[][] {
  const end =
    seconds === undefined
      ? [['-n', String(requests ?? 1)]]
      : [
          ['-t', String(toWholeSeconds(seconds))],
          ['-n', String(MAX_TIMED_REQUESTS)],
        ];
  return [...end, ['-c', String(connections)]];
}

interface Body {
  /** Body file; null if there is no body. */
  readonly file: string | null;
  readonly type: string | null;
  readonly files: readonly ExportedFile[];
}

function bodyOf(step: Step): Body {
  const literalBody = (content: string, type: string | null): Body => ({
    file: BODY_FILE,
    type,
    files: [{ path: BODY_FILE, content, encoding: 'utf8' }],
  });
  const joinTemplate = (text: string): string => parseTemplate(text).join('');
  if (step.form !== undefined) {
    const fields = Object.entries(step.form).map(([name, text]) => `${formEncoded(name)}=${formEncoded(joinTemplate(text))}`);
    return literalBody(fields.join('&'), 'application/x-www-form-urlencoded');
  }
  if (step.json !== undefined) return literalBody(joinTemplate(jsonText(step.json)), 'application/json');
  if (step.bodyFile !== undefined) return { file: step.bodyFile, type: null, files: [] };
  if (step.body === undefined) return { file: null, type: null, files: [] };
  if (typeof step.body === 'string') return literalBody(joinTemplate(step.body), null);
  const reference = readReference(step.body.secret);
  return { file: reference?.kind === 'file' ? reference.path : null, type: null, files: [] };
}

function requestOptions(plan: Plan, step: Step, texts: ShellTexts, body: Body): string[][] {
  const { connections, timeoutSeconds } = plan;
  const target = targetOfStep(plan, step);
  const headers = new Map<string, { name: string; parts: ShellPart[] }>();
  for (const [name, value] of headersBesideAuth(plan, step)) headers.set(name.toLowerCase(), { name, parts: texts.constant(value) });
  if (body.type !== null) headers.set('content-type', { name: 'Content-Type', parts: [body.type] });
  for (const [name, value] of Object.entries(step.headers)) headers.set(name.toLowerCase(), { name, parts: texts.text(value) });
  const type = headers.get('content-type');
  headers.delete('content-type');
  return [
    // Generated pages differ in length (-l), and one failed connection must not end the test (-r).
    ['-l'],
    ['-r'],
    ...(connections.reuse === 'never' ? [] : [['-k']]),
    ['-s', String(Math.ceil(timeoutSeconds))],
    ...methodOptions(step, body),
    ...(type === undefined ? [] : [['-T', formatShellWord(type.parts)]]),
    ...[...headers.values()].map(({ name, parts }) => ['-H', formatShellWord([`${name}: `, ...parts])]),
    ...authOption('-A', plan, step, texts),
    ...(target?.cookie === undefined ? [] : [['-C', formatShellWord(texts.constant(target.cookie))]]),
    ...(connections.localAddresses?.[0] === undefined ? [] : [['-B', formatShellWord([connections.localAddresses[0]])]]),
  ];
}

function methodOptions({ method }: Step, { file }: Body): string[][] {
  if (method === 'HEAD') return [['-i']];
  if (file === null) return method === 'GET' ? [] : [['-m', method]];
  if (method === 'PUT') return [['-u', formatShellWord([file])]];
  return [['-p', formatShellWord([file])], ...(method === 'POST' ? [] : [['-m', method]])];
}
