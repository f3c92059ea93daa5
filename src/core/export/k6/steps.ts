import { getOwn } from '#core/base/ownMembers.ts';
import { REDIRECT_TARGETS_NOTE } from '../exported.ts';
import { redirectsName, findSideUrl } from '#core/plan/requests.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { addressOf, writeBase, writeRedirectSlot, writeResourceSlots } from './address.ts';
import { captureCheck, REDIRECT_CHECK_NAME, pollCheck } from './checkNames.ts';
import { bodyCheck, writeCapture, checksCode, writeCondition, readsBody, statusCheck } from './responses.ts';
import { bodyOf, headersOf } from './request.ts';
import type { K6Draft } from './draft.ts';
import { drawingCode, listDrawnVariables, type Expressions, type StepScope } from './expressions.ts';
import type { Features } from './features.ts';
import { Code, memberCode, formatOnOneLine, quote, formatValue, type JavaScriptValue, type JavaScriptObject } from './javaScript.ts';
import { listRequiredSteps } from '#core/work/journey/requiredSteps.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { cookieOf } from '#core/plan/valueNames.ts';

const BELL_BY_CLOCK =
  'k6 waits for a bell by the clock of its machine, and wakes its users one by one: starts spread more than with Holdfast. It does not count who came late, and its times begin when a request is sent, not at the bell.';

/** Context for writing the functions of all steps. */
export interface StepWriting {
  readonly draft: K6Draft;
  readonly expressions: Expressions;
  readonly features: Features;
  /** Function names by position of the step. */
  readonly names: readonly string[];
}

/** Returns the function of a step, which returns whether the journey continues. */
export function stepFunction(writing: StepWriting, index: number): string {
  const step = writing.draft.plan.journey[index];
  if (step === undefined) return '';
  const lines = new StepWriter(writing, step, index).writeLines();
  const head = `/** ${formatOnOneLine(writeComment(step)).replaceAll('*/', '* /')} */`;
  return `${head}\nfunction ${writing.names[index] ?? 'step'}() {\n${indent(lines)}\n}`;
}

export function indent(lines: readonly string[], by = '  '): string {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => (line === '' ? '' : by + line))
    .join('\n');
}

function writeComment({ name, method, path, once, background, measured }: Step): string {
  const what = `“${name}”: ${method} ${path === '' ? 'the target itself' : path}`;
  const more = [
    ...(once === true ? ['once for each user'] : []),
    ...(background === undefined ? [] : [`every ${background.everySeconds} s beside the journey`]),
    ...(measured === false ? ['not measured'] : []),
  ];
  return more.length === 0 ? what : `${what} (${more.join(', ')})`;
}

class StepWriter {
  private readonly writing: StepWriting;
  private readonly step: Step;
  private readonly index: number;
  private readonly scope: StepScope;
  private readonly captures: NonNullable<Step['captures']>;
  private readonly isRequired: boolean;

  constructor(writing: StepWriting, step: Step, index: number) {
    this.writing = writing;
    this.step = step;
    this.index = index;
    this.captures = step.captures ?? [];
    this.isRequired = listRequiredSteps(writing.draft.plan.journey).has(index);
    const usesCookie = this.captures.some(({ from }) => from === 'cookie') || namesOfStep(step).some((name) => cookieOf(name) !== null);
    this.scope = { found: new Set(), url: usesCookie ? 'url' : quote('') };
  }

  writeLines(): string[] {
    const { step, writing } = this;
    const { draft, features } = writing;
    const lines: string[] = [];
    const isBeside = step.background !== undefined;
    if (features.hasEnd && !isBeside) lines.push(`if (${draft.requireHelper('isOver')}()) return false;`);
    if (features.pausesBetween && hasPauses(writing)) lines.push(`${draft.requireHelper('payPause')}();`);
    lines.push(...this.gateLines());
    if (step.resources !== undefined) lines.push('const began = Date.now();');
    if (step.poll === undefined) return [...lines, ...this.requestLines(), ...this.writeLastLines()];
    const { firstSeconds, factor } = step.poll;
    return [
      ...lines,
      'const asked = Date.now();',
      `for (let wait = ${firstSeconds}; ; wait *= ${factor}) {`,
      indent([...(features.hasEnd && !isBeside ? [`if (isOver()) return false;`] : []), ...this.requestLines(), ...this.pollLines()]),
      '}',
    ];
  }

  private gateLines(): string[] {
    const { step, writing } = this;
    const { draft } = writing;
    const bell = getOwn(draft.plan.bells, step.gate ?? '');
    if (bell === undefined) return [];
    draft.note(BELL_BY_CLOCK);
    const wait = `${draft.requireHelper('waitForBell')}(${quote(step.gate ?? '')}, ${bell.atSeconds})`;
    return [bell.late === 'leave' ? `if (!${wait}) return false;` : `${wait};`];
  }

  /** Returns the lines that send the request and judge the response. */
  private requestLines(): string[] {
    const { step, writing, scope, captures } = this;
    const { draft, expressions, features } = writing;
    const lines: string[] = [];
    const drawn = listDrawnVariables(draft.plan, step);
    if (drawn.length > 0)
      lines.push(
        `const drawn = ${formatValue(Object.fromEntries(drawn.map(([name, variable]) => [name, new Code(drawingCode(draft, variable))])))};`,
      );
    let url = addressOf(draft, expressions, step, { ...scope, url: writeBase(draft.plan, step) });
    if (scope.url === 'url') {
      lines.push(`const url = ${url};`);
      url = 'url';
    }
    const body = bodyOf(draft, expressions, step, scope);
    const headers = headersOf(draft, expressions, step, body.type, scope);
    const requestIndex = this.index;
    const isFollowed = step.redirects !== undefined;
    lines.push(...body.lines);
    const repeats = isFollowed && body.text !== null;
    if (repeats) lines.push(`const body = ${body.text};`);
    const bodyCode = repeats ? 'body' : body.text;
    lines.push(
      `${isFollowed ? 'const sent' : 'const response'} = ${this.call(url, bodyCode, this.params(requestIndex, step.name, headers.all))};`,
    );
    if (step.resources !== undefined) lines.push('const pageTags = tags;');
    if (step.redirects !== undefined) lines.push(...this.followLines(step.redirects, bodyCode, headers));
    const found = captures.map(
      (capture) => [capture.as, writeCapture(draft, capture, scope.url, (name) => expressions.valueOf(name, scope))] as const,
    );
    if (found.length > 0)
      lines.push(`const found = ${formatValue(Object.fromEntries(found.map(([name, code]) => [name, new Code(code)])))};`);
    if (step.poll !== undefined) {
      const until = step.poll.until.map((check) => writeCondition(draft, expressions, check, 'response', scope));
      lines.push(`const isThere = ${until.length === 1 ? (until[0] ?? 'true') : until.map((condition) => `(${condition})`).join(' && ')};`);
      lines.push(`const isInVain = !isThere && (Date.now() - asked) / 1000 + wait > ${step.poll.mostSeconds};`);
    }
    const judge = step.measured === false ? 'check(response, ' : `${draft.requireHelper('judge')}(response, `;
    const judged = `${judge}${checksCode(step.name, this.checks())}${step.measured === false ? ', tags' : ''});`;
    lines.push(this.asksWhetherGood ? `const good = ${judged}` : judged);
    if (features.hasBackground && step.background === undefined) lines.push(...this.writeSideCallLines());
    return lines;
  }

  /** Whether the journey ends if the step gets no successful response. */
  private get isNeeded(): boolean {
    return this.captures.length > 0 || this.step.measured === false || this.isRequired;
  }

  /** Whether anything depends on the success of the response. */
  private get asksWhetherGood(): boolean {
    const { step, writing } = this;
    const { draft, features } = writing;
    const begins = features.hasBackground && draft.plan.journey.some(({ background }) => background?.after === step.name);
    const isOnce = step.once === true && features.hasOnce;
    return this.isNeeded || step.poll !== undefined || step.resources !== undefined || isOnce || begins;
  }

  private checks(): (readonly [string, string])[] {
    const { step, writing, captures } = this;
    const { draft, expressions } = writing;
    const withFound = { ...this.scope, found: new Set(captures.map(({ as }) => as)) };
    return [
      ...(step.redirects === undefined ? [] : [[REDIRECT_CHECK_NAME, '() => lost === null'] as const]),
      statusCheck(step),
      ...step.checks.map((check) => bodyCheck(draft, expressions, check, withFound)),
      ...(step.poll === undefined ? [] : [[pollCheck(step.poll.mostSeconds), '() => !isInVain'] as const]),
      // A poll captures only after its condition is met.
      ...captures.map(
        ({ as }) =>
          [captureCheck(as), `() => ${step.poll === undefined ? '' : '!isThere || '}${memberCode('found', as)} !== undefined`] as const,
      ),
    ];
  }

  private params(requestIndex: number, name: string, headers: Code | null, more: JavaScriptObject = {}): string {
    const { step, writing } = this;
    const { draft, features } = writing;
    const isRead = readsBody(step);
    const expected = statusCondition(step);
    const own: Record<string, JavaScriptValue> = {
      ...(headers === null ? {} : { headers }),
      ...(isRead && !draft.plan.journey.every(readsBody) ? { responseType: 'text' } : {}),
      ...(expected === null ? {} : { responseCallback: new Code(`http.expectedStatuses(${expected})`) }),
      ...(step.measured === false && findSideUrl(step) !== null && features.keeps !== 'ignore'
        ? { jar: new Code('new http.CookieJar()') }
        : {}),
      ...Object.fromEntries(
        Object.entries(more).flatMap(([key, value]) => (value === undefined || isComment(value) ? [] : [[key, value]])),
      ),
    };
    const label = quote(name);
    return Object.keys(own).length === 0 ? `params(${requestIndex}, ${label})` : `params(${requestIndex}, ${label}, ${formatValue(own)})`;
  }

  private call(url: string, body: string | null, params: string): string {
    const { method } = this.step;
    switch (method) {
      case 'GET':
      case 'HEAD':
        return body === null
          ? callCode(`http.${method.toLowerCase()}`, url, params)
          : callCode('http.request', quote(method), url, body, params);
      case 'DELETE':
        return callCode('http.del', url, body ?? 'null', params);
      case 'POST':
      case 'PUT':
      case 'PATCH':
      case 'OPTIONS':
        return callCode(`http.${method.toLowerCase()}`, url, body ?? 'null', params);
      default:
        return method satisfies never;
    }
  }

  private followLines(
    { most, mayEndAtLogin, to }: NonNullable<Step['redirects']>,
    body: string | null,
    headers: { readonly all: Code | null; readonly withoutContent: Code | null },
  ): string[] {
    const { step, writing } = this;
    if (to !== undefined) writing.draft.note(REDIRECT_TARGETS_NOTE);
    const requestIndex = writeRedirectSlot(writing.draft.plan, this.index);
    const name = redirectsName(step.name);
    const isSame = step.method === 'GET' && body === null;
    const get = callCode(`http.${step.method === 'HEAD' ? 'head' : 'get'}`, 'to', this.params(requestIndex, name, headers.withoutContent));
    const again = this.call('to', body, this.params(requestIndex, name, headers.all));
    const ask =
      isSame || step.method === 'HEAD'
        ? `(to) =>\n  ${get.replaceAll('\n', '\n  ')}`
        : `(to, isRepeated) =>\n  isRepeated\n    ? ${again.replaceAll('\n', '\n      ')}\n    : ${get.replaceAll('\n', '\n      ')}`;
    return [`const { response, lost } = ${writing.draft.requireHelper('follow')}(sent, ${formatValue({ most, mayEndAtLogin })}, ${ask});`];
  }

  private pollLines(): string[] {
    return [
      `if (!good) return ${this.captures.length > 0 || this.isRequired ? 'false' : '!isInVain'};`,
      'if (isThere) {',
      indent(this.writeLastLines()),
      '}',
      `${this.writeRest('wait')};`,
    ];
  }

  /** Returns the lines that follow after the response was judged. */
  private writeLastLines(): string[] {
    const { step, writing, captures } = this;
    const { draft, features } = writing;
    const lines: string[] = [];
    if (step.resources !== undefined) {
      const { how, reads, otherHosts } = step.resources;
      if (reads === 'tags') draft.note('k6 fetches what a browser would fetch with a page, also where the plan takes only what tags name.');
      const kinds = writeResourceSlots(draft.plan, this.index).map(({ kind, requestIndex, name }) => [kind, requestIndex, name]);
      const rules = formatValue({ kinds, isSerial: how === 'serial', otherHosts, headers: this.resourceHeaders() });
      lines.push(`${draft.requireHelper('pageEnded')}(good && ${draft.requireHelper('fetchAll')}(response, ${rules}), began, pageTags);`);
    }
    const { isNeeded } = this;
    if (isNeeded) lines.push('if (!good) return false;');
    else if (step.redirects !== undefined) lines.push('if (lost !== null) return false;');
    if (captures.length > 0) lines.push('Object.assign(values, found);');
    if (step.once === true && features.hasOnce)
      lines.push(`${isNeeded ? '' : 'if (good) '}taken.add(${quote(writing.names[this.index] ?? '')});`);
    if (step.background !== undefined) return lines;
    const pause = findPause(writing, step);
    if (features.pausesBetween) {
      if (hasPauses(writing)) lines.push(`owedPause = ${pause ?? '0'};`);
    } else if (pause !== null || features.hasBackground) lines.push(`${this.writeRest(pause ?? '0')};`);
    lines.push('return true;');
    return lines;
  }

  private writeRest(seconds: string): string {
    const { draft, features } = this.writing;
    return features.hasEnd || features.hasBackground ? `${draft.requireHelper('rest')}(${seconds})` : `sleep(${seconds})`;
  }

  private writeSideCallLines(): string[] {
    const { draft, names } = this.writing;
    return draft.plan.journey.flatMap(({ background }, index) =>
      background?.after === this.step.name ? [`if (good) besides.${names[index] ?? ''}.begin();`] : [],
    );
  }

  private resourceHeaders(): JavaScriptValue {
    const { draft, expressions } = this.writing;
    const own = Object.fromEntries(
      Object.entries(this.step.headers).filter(
        ([name, value]) => /^accept-(encoding|language)$/i.test(name) && typeof value === 'string' && !value.includes('{{'),
      ),
    );
    return (
      headersOf(
        draft,
        expressions,
        { ...this.step, headers: own, multipart: undefined, form: undefined, json: undefined, body: undefined },
        null,
        this.scope,
      ).all ?? {}
    );
  }
}

const MAX_CALL_LENGTH = 96;

/** Formats a call, with one argument per line if it is long. */
function callCode(name: string, ...parameters: readonly string[]): string {
  const line = `${name}(${parameters.join(', ')})`;
  const isLong = line.length > MAX_CALL_LENGTH || parameters.slice(0, -1).some((parameter) => parameter.includes('\n'));
  if (!isLong || (parameters.length === 1 && !line.includes('\n'))) return line;
  return `${name}(\n${indent(parameters.map((parameter) => `${parameter},`))}\n)`;
}

function isComment(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'comment' in value;
}

/** Returns the arguments of http.expectedStatuses; null for the default, any 2xx. */
function statusCondition(step: Step): string | null {
  const own = step.expectStatus?.join(', ');
  if (step.redirects !== undefined) return own === undefined ? '{ min: 200, max: 399 }' : `${own}, { min: 300, max: 399 }`;
  return own ?? null;
}

/** Returns the expression of the pause after a step in seconds; null if there is no pause. */
function findPause({ draft }: StepWriting, { thinkTime, measured, background }: Step): string | null {
  const { load } = draft.plan;
  if (background !== undefined) return null;
  const pause = thinkTime ?? (measured === false ? undefined : 'thinkTime' in load ? load.thinkTime : undefined);
  return pause === undefined ? null : pauseCode(pause);
}

function hasPauses(writing: StepWriting): boolean {
  return writing.draft.plan.journey.some((step) => findPause(writing, step) !== null);
}

/** Returns the expression of a pause in seconds; null if there is no pause. */
export function pauseCode(pause: ThinkTime): string | null {
  switch (pause.kind) {
    case 'fixed':
      return pause.seconds === 0 ? null : String(pause.seconds);
    case 'uniform': {
      const range = pause.toSeconds - pause.fromSeconds;
      return range === 0
        ? String(pause.fromSeconds)
        : `${pause.fromSeconds === 0 ? '' : `${pause.fromSeconds} + `}Math.random() * ${range}`;
    }
    case 'exponential':
      return `-${pause.meanSeconds} * Math.log(1 - Math.random())`;
    default:
      return pause satisfies never;
  }
}
