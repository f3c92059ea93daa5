import { formatNumber, formatPercent } from '#core/base/units.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Choose, FlowPart, Repeat } from '#core/plan/schema/flow.ts';
import { requestsPerJourney, type ExecutionCount, weightOf } from './executions.ts';

/** Describes a flow, for example "“login”, then 3 times (one of: 10 % “submit”, then “status”; 90 % “statement”)". */
export function formatFlow(plan: Plan, flow: readonly FlowPart[]): string {
  return flow.length === 0 ? 'nothing' : flow.map((part) => formatPart(plan, part)).join(', then ');
}

function formatPart(plan: Plan, part: FlowPart): string {
  if (typeof part === 'string') return `“${part}”`;
  if ('choose' in part) return chooseWords(plan, part);
  const words = formatFlow(plan, part.flow);
  const [only] = part.flow;
  const innerText = part.flow.length === 1 && typeof only === 'object' && 'choose' in only ? words : `(${words})`;
  if ('repeat' in part) return `${formatRounds(part)} ${innerText}`;
  const items = part.atMost === undefined ? 'each item' : part.atMost === 1 ? 'the first item' : `each of the first ${part.atMost} items`;
  return `for ${items} of “${part.forEach}” ${innerText}`;
}

function formatRounds({ repeat }: Repeat): string {
  if (typeof repeat !== 'number') return `${repeat.from} to ${repeat.to} times`;
  return repeat === 1 ? 'once' : `${repeat} times`;
}

function chooseWords(plan: Plan, { choose, per }: Choose): string {
  const stages = new Set(plan.load.stages.map((_, index) => stageName(plan, index)));
  const usual = formatShares(choose.map(({ weight }) => weight));
  const other = [...new Set(choose.flatMap(({ weightIn }) => Object.keys(weightIn ?? {})))].filter((stage) => stages.has(stage));
  const ways = choose.map(({ flow }, index) => {
    const otherShares = other.map((stage) => `${formatShares(choose.map((choice) => weightOf(choice, stage)))[index]} in “${stage}”`);
    return `${[usual[index], ...otherShares].join(', ')}: ${formatFlow(plan, flow)}`;
  });
  return `${per === 'user' ? 'users in groups' : 'one of'} (${ways.join('; ')})`;
}

function formatShares(weights: readonly number[]): string[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => formatPercent(all === 0 ? 0 : weight / all));
}

/** Describes the number of requests per journey; returns null if it is constant. */
export function lengthSentence(plan: Plan): string | null {
  const stages = plan.load.stages.flatMap((stage, index) => ('kind' in stage && stage.kind === 'pause' ? [] : [index]));
  const lengths = stages.map((stage) => formatLength(requestsPerJourney(plan, stage)));
  const [first] = lengths;
  if (first === undefined || stages.every((stage) => isFixed(requestsPerJourney(plan, stage)))) return null;
  if (lengths.every((words) => words === first)) return `A journey makes ${first}.`;
  return `A journey makes ${lengths.map((words, index) => `${words} in “${stageName(plan, stages[index] ?? 0)}”`).join(', ')}.`;
}

function isFixed({ least, most }: ExecutionCount): boolean {
  return least === most;
}

function formatLength({ least, mean, most }: ExecutionCount): string {
  if (least === most) return `${least} ${least === 1 ? 'request' : 'requests'}`;
  const range = most === null ? `at least ${least} ${least === 1 ? 'request' : 'requests'}` : `${least} to ${most} requests`;
  return mean === null ? range : `${range}, ${formatNumber(mean)} on average`;
}
