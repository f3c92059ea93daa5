import type { PlanInput } from '#core/plan/schema/plan.ts';
import { isBlock } from '#core/base/json.ts';
import { durationSeconds } from '../commands/amounts.ts';
import { type Draft, withoutNulls, type WrittenLoad } from '../draft.ts';
import { freeName } from '#core/base/text.ts';
import { valueAtPath, entriesAt, listAt, textAt } from '../reading.ts';

type Criterion = NonNullable<PlanInput['criteria']>[number];
type Stage = Extract<WrittenLoad, { model: 'arrivals' }>['stages'][number];

/** Returns the seconds of a number or of a text such as `5m`; null for anything else, including variables. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  return typeof value === 'string' ? durationSeconds(value) : null;
}

export function loadOfPhases(draft: Draft, config: unknown): WrittenLoad {
  const taken = new Set<string>();
  const stages = listAt(config, 'phases').flatMap((phase, index): Stage[] => {
    const location = `config.phases[${index}]`;
    const stage = stageOf(draft, phase, location);
    if (stage === null) {
      draft.noteLeftOut(location, 'This phase has no valid duration or number of arrivals.');
      return [];
    }
    const base = (textAt(phase, 'name') ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 60).trim();
    const name = freeName(
      base,
      (one) => one !== '' && taken.has(one),
      (number) => `${base.slice(0, 50)} (${number})`,
    );
    taken.add(name);
    if (valueAtPath(phase, 'ifTrue') !== undefined)
      draft.noteLeftOut(`${location}.ifTrue`, 'The phase depends on a condition.', 'The plan always runs it.');
    const maxUsers = stage.kind === 'pause' ? null : numberOf(valueAtPath(phase, 'maxVusers'));
    const maxInFlight = maxUsers === null ? null : Math.min(20_000, Math.max(1, Math.floor(maxUsers)));
    return [{ ...withoutNulls({ name }), ...stage, ...withoutNulls({ maxInFlight }) }];
  });
  const poisson = textAt(config, 'mode') === 'poisson' ? { spacing: 'poisson' as const } : {};
  if (stages.length > 0) return { model: 'arrivals', ...poisson, stages: stages.slice(0, 200) };
  draft.noteAssumed('config.phases', 'The script defines no load.', 'Proposed: one arrival a second for a minute.');
  return { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 1, seconds: 60 }] };
}

function stageOf(draft: Draft, phase: unknown, location: string): Stage | null {
  const pause = secondsOf(valueAtPath(phase, 'pause'));
  if (pause !== null && pause > 0) return { kind: 'pause', seconds: pause };
  const seconds = secondsOf(valueAtPath(phase, 'duration'));
  if (seconds === null || seconds <= 0) return null;
  const [count, rate, rampTo] = ['arrivalCount', 'arrivalRate', 'rampTo'].map((name) => numberOf(valueAtPath(phase, name)));
  if (typeof count === 'number') return count >= 1 ? { kind: 'count', arrivals: Math.floor(count), seconds } : { kind: 'pause', seconds };
  if (typeof rampTo === 'number') {
    if (rate === null) draft.noteChanged(`${location}.rampTo`, 'The phase has no initial arrivalRate.', 'It begins at 0/s.');
    return { kind: 'ramp', fromPerSecond: rate ?? 0, toPerSecond: rampTo, seconds };
  }
  if (typeof rate !== 'number') return null;
  return rate === 0 ? { kind: 'pause', seconds } : { kind: 'constant', perSecond: rate, seconds };
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

export function listCriteria(draft: Draft, config: unknown): Criterion[] {
  const ensure = valueAtPath(config, 'ensure') ?? valueAtPath(config, 'plugins', 'ensure');
  const simple = entriesAt(ensure).filter(([name]) => name !== 'thresholds' && name !== 'conditions');
  const listed = listAt(ensure, 'thresholds').flatMap((item) => (isBlock(item) ? Object.entries(item) : []));
  const criteria = [...simple, ...listed].flatMap(([name, limit]): Criterion[] => {
    const criterion = findCriterion(name, limit);
    if (criterion === null) draft.noteLeftOut(`config.ensure.${name.slice(0, 60)}`, 'This criterion has no equivalent.');
    return criterion === null ? [] : [criterion];
  });
  for (const [index] of listAt(ensure, 'conditions').entries()) {
    const location = `config.ensure.conditions[${index}]`;
    draft.noteLeftOut(location, 'The condition is an Artillery expression.', 'Add it to the pass criteria of the plan.');
  }
  return criteria.slice(0, 50);
}

function findCriterion(name: string, limit: unknown): Criterion | null {
  if (typeof limit !== 'number') return null;
  if (name === 'maxErrorRate' && limit >= 0 && limit < 100) return { kind: 'errors', maxShare: limit / 100 };
  const [, digits = ''] = /^(?:http\.response_time\.)?(?:p(\d{2,3}))$/.exec(name.replace(/median$/, 'p50')) ?? [];
  // The label p999 means 99.9 %.
  const percentile = Number(digits.replace(/^(\d\d)(?=\d)/, '$1.'));
  if (limit <= 0 || limit > 3_600_000) return null;
  return percentile > 0 && percentile < 100 ? { kind: 'responseTime', percentile, maxMs: limit } : null;
}
