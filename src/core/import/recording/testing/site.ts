import { statusName } from '#core/base/errorNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { fillTemplate, parseTemplate } from '#core/plan/secrets.ts';
import { parseValue } from '#core/review/check.ts';
import { type Finder, takeCapture } from '../takeCapture.ts';
import { listSetCookies, type Exchange, type Walk } from '../walk.ts';

/** Response of a test site. */
export interface Reply {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly text?: string;
}

/** Request to a test site. */
export interface SiteRequest {
  readonly method: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly header: (name: string) => string;
}

export type Site = (asked: SiteRequest) => Reply;

const ORIGIN = 'http://site.example';
const MAX_REDIRECTS = 5;

/** Walks a plan through a site in memory as a load test does, with captures, cookies and redirects. Ends at a failed capture. */
export function walkThrough(plan: Plan, site: Site, values: Readonly<Record<string, string>> = {}): Walk {
  const known = new Map(Object.entries(values));
  const cookies = new Map<string, string>();
  for (const [name, variable] of Object.entries(plan.variables ?? {}))
    if (variable.kind === 'item' && !known.has(name)) known.set(name, String(variable.of[0]));
  const walk: { step: string; exchanges: Exchange[]; failure: string | null }[] = [];
  const filled = (text: string): string =>
    fillTemplate(parseTemplate(text), ({ name }) => (name.startsWith('cookie.') ? cookies.get(name.slice(7)) : known.get(name)) ?? '');
  for (const step of plan.journey) {
    const exchanges = exchange(step, filled, site);
    for (const { responseHeaders } of exchanges) for (const [name, value] of listSetCookies(responseHeaders)) cookies.set(name, value);
    const last = exchanges.at(-1);
    if (last === undefined) break;
    const isExpected = step.expectStatus?.includes(last.status) ?? (last.status >= 200 && last.status < 300);
    let failure = isExpected ? null : statusName(last.status);
    for (const { as, ...finder } of isExpected ? (step.captures ?? []) : []) {
      const value = takeCapture(finder as Finder, last);
      if (value === null) failure = `NOTHING_CAPTURED “${as}”@check`;
      else known.set(as, value);
    }
    walk.push({ step: step.name, exchanges, failure });
    if (failure !== null && (step.captures ?? []).length > 0) break;
  }
  return walk;
}

function exchange(step: Step, filled: (text: string) => string, site: Site): Exchange[] {
  const form = Object.fromEntries(Object.entries(step.form ?? {}).map((field) => field.map(filled)));
  const headers = Object.entries(step.headers).map(([name, value]) => [name, typeof value === 'string' ? filled(value) : ''] as const);
  let [method, path]: [string, string] = [step.method, filled(step.path)];
  const exchanges: Exchange[] = [];
  for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
    const {
      status = 200,
      headers: responseHeaders = [],
      text = '',
    } = site({
      method,
      path,
      form: hop === 0 ? form : {},
      header: (name) => headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? '',
    });
    exchanges.push({ method, url: ORIGIN + path, headers, body: null, status, responseHeaders, text, bytes: text.length });
    const location = responseHeaders.find(([name]) => name === 'Location')?.[1];
    if (location === undefined || step.redirects === undefined) return exchanges;
    [method, path] = ['GET', location];
  }
  return exchanges;
}

export function planOfSteps(journey: readonly object[], more: object = {}): Plan {
  const { plan, issues } = parseValue({
    holdfast: 1,
    name: 'Recorded',
    targets: [{ url: `${ORIGIN}/` }],
    journey,
    cookies: 'journey',
    load: { model: 'connections', stages: [{ connections: 1, seconds: 10 }] },
    ...more,
  });
  if (plan === null) throw new Error(JSON.stringify(issues.filter(({ level }) => level === 'error')));
  return plan;
}

/** Returns a step with the exchanges of a browser. */
export function recordedStep(step: string, requests: readonly Partial<Exchange>[]): Walk[number] {
  return {
    step,
    failure: null,
    exchanges: requests.map(({ url = '/', text = null, ...rest }) => ({
      method: 'GET',
      headers: [],
      body: null,
      status: 200,
      responseHeaders: [],
      bytes: text?.length ?? 0,
      ...rest,
      text,
      url: `${ORIGIN}${url}`,
    })),
  };
}
