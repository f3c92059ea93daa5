import { durationSeconds } from '../commands/parseOptions.ts';
import type { Draft, WrittenLoad } from '../draft.ts';
import { at, listAt, textAt } from '../reading.ts';

/** Returns the seconds of a number or of a text such as `5m`; null for anything else, including variables. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  return typeof value === 'string' ? durationSeconds(value) : null;
}

type Arrivals = Extract<WrittenLoad, { model: 'arrivals' }>;
type Stage = Arrivals['stages'][number];

/** Returns the phases of a script as stages of arrivals. */
export function loadOfPhases(draft: Draft, config: unknown): WrittenLoad {
  const taken = new Set<string>();
  const stages = listAt(config, 'phases').flatMap((phase, index): Stage[] => {
    const place = `config.phases[${index}]`;
    const stage = stageOf(draft, phase, place);
    if (stage === null) {
      draft.leftOut(place, 'This phase has no valid duration or number of arrivals.');
      return [];
    }
    const name = freeName(textAt(phase, 'name') ?? '', taken);
    if (at(phase, 'ifTrue') !== undefined)
      draft.leftOut(`${place}.ifTrue`, 'The phase depends on a condition.', 'The plan always runs it.');
    const most = numberOf(at(phase, 'maxVusers'));
    return [
      {
        ...(name === null ? {} : { name }),
        ...stage,
        ...(most === null || stage.kind === 'pause' ? {} : { maxInFlight: Math.min(20_000, Math.max(1, Math.floor(most))) }),
      },
    ];
  });
  const poisson = textAt(config, 'mode') === 'poisson' ? { spacing: 'poisson' as const } : {};
  if (stages.length > 0) return { model: 'arrivals', ...poisson, stages: stages.slice(0, 200) };
  draft.assumed('config.phases', 'The script defines no load.', 'Proposed: one arrival a second for a minute.');
  return { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 1, seconds: 60 }] };
}

function stageOf(draft: Draft, phase: unknown, place: string): Stage | null {
  const pause = secondsOf(at(phase, 'pause'));
  if (pause !== null && pause > 0) return { kind: 'pause', seconds: pause };
  const seconds = secondsOf(at(phase, 'duration'));
  if (seconds === null || seconds <= 0) return null;
  const count = numberOf(at(phase, 'arrivalCount'));
  const rate = numberOf(at(phase, 'arrivalRate'));
  const rampTo = numberOf(at(phase, 'rampTo'));
  if (count !== null) return count >= 1 ? { kind: 'count', arrivals: Math.floor(count), seconds } : { kind: 'pause', seconds };
  if (rampTo !== null) {
    if (rate === null) draft.changed(`${place}.rampTo`, 'The phase has no initial arrivalRate.', 'It begins at 0/s.');
    return { kind: 'ramp', fromPerSecond: rate ?? 0, toPerSecond: rampTo, seconds };
  }
  if (rate === null) return null;
  return rate === 0 ? { kind: 'pause', seconds } : { kind: 'constant', perSecond: rate, seconds };
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

function freeName(written: string, taken: Set<string>): string | null {
  const base = written.replaceAll(/\s+/g, ' ').trim().slice(0, 60).trim();
  if (base === '') return null;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base.slice(0, 50)} (${number})`;
  taken.add(name);
  return name;
}
