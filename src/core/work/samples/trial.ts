import { HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { consumesRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countUsableRows } from '../feeds/rows.ts';
import { buildFlow, namesInFlow } from '../journey/flow/executions.ts';
import { cookiesOf } from '../journey/walked.ts';
import { isLogin, storesValue } from '../journey/storing.ts';
import { findOwnWords } from '../pages/ownWords.ts';
import { type Sample, serverMessage } from './schema.ts';
import { explainFailure } from './text.ts';
import type { TryReport } from './tryPlan.ts';

/**
 * Accounts that try the journey before a load: the first, the middle and the last. Each is given as its position among all accounts, from 0
 * to 1.
 */
export const TRIAL_SHARES = [0, 0.5, 1] as const;

/**
 * Returns the plan up to its first storing step, because a trial must not write data. Returns null if nothing can be tried: there is no
 * login before that step, or the trial would use up an account.
 */
export function trialPlan(plan: Plan): Plan | null {
  if (consumesRows(plan)) return null;
  const storing = new Set(plan.journey.flatMap((step) => (storesValue(step, plan) ? [step.name] : [])));
  const { kept: flow } = cutAt(buildFlow(plan), storing);
  const walked = new Set(namesInFlow(flow));
  const isBeside = ({ background, name }: Plan['journey'][number]): boolean => background !== undefined && !storing.has(name);
  const journey = plan.journey.filter((step) => walked.has(step.name) || isBeside(step) || step.explains !== undefined);
  if (!journey.some((step) => walked.has(step.name) && isLogin(step, plan))) return null;
  // These members name steps that may have been removed.
  const { stored: _stored, demand: _demand, watch: _watch, ...rest } = plan;
  // Each user runs one journey, including the steps that are otherwise sent only once.
  const steps = journey.flatMap(({ once: _once, renew: _renew, ...step }) =>
    step.explains === undefined || walked.has(step.explains.step) ? [step] : [],
  );
  return { ...rest, cookies: cookiesOf(plan), journey: steps, flow, criteria: [] };
}

/** Returns the part of a flow before the first of the named steps, and whether it was cut. */
function cutAt(flow: readonly FlowPart[], names: ReadonlySet<string>): { readonly kept: FlowPart[]; readonly isCut: boolean } {
  const kept: FlowPart[] = [];
  for (const part of flow) {
    if (typeof part === 'string') {
      if (names.has(part)) return { kept, isCut: true };
      kept.push(part);
      continue;
    }
    if ('choose' in part) {
      const branches = part.choose.map((choice) => ({ choice, ...cutAt(choice.flow, names) }));
      const choose = branches.flatMap(({ choice, kept: inside }) => (inside.length === 0 ? [] : [{ ...choice, flow: inside }]));
      if (choose.length > 0) kept.push({ ...part, choose });
      if (branches.some(({ isCut }) => isCut)) return { kept, isCut: true };
      continue;
    }
    const cutPart = cutAt(part.flow, names);
    if (cutPart.kept.length > 0) kept.push({ ...part, flow: cutPart.kept });
    if (cutPart.isCut) return { kept, isCut: true };
  }
  return { kept, isCut: false };
}

/** Returns the plan for only one of the numbered accounts. `share` is its position: 0 for the first, 1 for the last. */
export function limitToAccount(plan: Plan, share: number): Plan {
  const variables = Object.entries(plan.variables ?? {}).map(([name, variable]) => {
    if (variable.kind !== 'number' || variable.to === undefined) return [name, variable] as const;
    return [name, { ...variable, from: variable.from + Math.floor((variable.to - variable.from) * share) }] as const;
  });
  return { ...plan, variables: Object.fromEntries(variables) };
}

/** Returns whether users have different accounts, by number or by row. */
export function hasSeveralAccounts(plan: Plan): boolean {
  const { variables = {}, feeds = {} } = plan;
  const isRange = Object.values(variables).some((variable) => variable.kind === 'number' && (variable.to ?? 0) > variable.from);
  return isRange || Object.values(feeds).some(({ order }) => countUsableRows(plan, { order, rowCount: 2 }) > 1);
}

const TRIAL_NAMES = new Map<number, string>([
  [0, 'the first account'],
  [0.5, 'an account in the middle of the list'],
  [1, 'the last account'],
]);

/** Returns why the trial failed, with the text of the page; null if the trial succeeded. */
export function trialProblem(plan: Plan, { samples, isGood, notReached, problem }: TryReport, share: number): HoldfastError | null {
  if (isGood) return null;
  const who = hasSeveralAccounts(plan) ? ` with ${TRIAL_NAMES.get(share) ?? 'an account'}` : '';
  const failed = samples.find(({ failure }) => failure !== null);
  const explained = failed?.failure == null ? null : explainFailure(failed.failure);
  // A redirect has no text, so the text of its target is used.
  const words = describeSample(failed) ?? describeSample(samples.find(({ request }) => request === `${failed?.request ?? ''} › redirects`));
  const landing = formatLanding(plan, samples);
  const stated = [
    ...(words === null ? (failed?.says === undefined ? [] : [serverMessage(failed.says)]) : [`The page says: ${quote(words)}`]),
    ...(landing === null || landing === words ? [] : [`After the login it said: ${quote(landing)}`]),
  ];
  const why = problem?.message ?? (explained === null ? formatNotReached(notReached) : `“${failed?.request ?? ''}”: ${explained.message}.`);
  return new HoldfastError({
    code: 'TRIAL_FAILED',
    message: [`No load was sent, because the trial before it failed${who}.`, why, ...stated].join(' '),
    hint: [problem?.hint ?? explained?.hint ?? '', TRIAL_HINT].join(' ').trim(),
    data: { request: failed?.request ?? null, says: words ?? failed?.says ?? null },
  });
}

const TRIAL_HINT = 'To see every request, use holdfast try. To start the load without a trial, add --no-trial.';

function formatNotReached(names: readonly string[]): string {
  return `The journey did not reach ${names.map((name) => `“${name}”`).join(', ')}.`;
}

function describeSample(sample: Sample | undefined): string | null {
  return sample?.received == null ? null : findOwnWords(sample.received.body);
}

/** Returns the text of the page after the login, such as whether a contest has started or ended. */
function formatLanding(plan: Plan, samples: readonly Sample[]): string | null {
  const logins = plan.journey.filter((step) => isLogin(step, plan)).map(({ name }) => name);
  return describeSample(samples.findLast(({ request }) => logins.some((name) => request === name || request.startsWith(`${name} › `))));
}
