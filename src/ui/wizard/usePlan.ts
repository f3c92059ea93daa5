import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { HoldfastError } from '#core/base/errors.ts';
import type { Preset } from '#core/presets/schema.ts';
import { useCall, useConnection } from '#ui/app/backend.ts';
import { urlProblem } from '#core/plan/url.ts';
import { answersFor, linksSeen } from './state/answers.ts';
import { toTarget } from './state/entries.ts';
import { type MadePlan, makePlan, type PlanInput } from './state/makePlan.ts';
import type { PlanFacts } from './state/readiness.ts';
import { entriesOf, type WizardState } from './state/types.ts';

/** The value as it was when `key` had last stood still for `delayMs`. The first value counts at once. */
function useDebounced<T>(value: T, delayMs: number, key: unknown = value): T {
  const [settled, setSettled] = useState({ key, value });
  const settle = useEffectEvent((settledKey: unknown) => setSettled({ key: settledKey, value }));
  useEffect(() => {
    const timer = setTimeout(() => settle(key), delayMs);
    return () => clearTimeout(timer);
  }, [key, delayMs]);
  return settled.value;
}

export interface PlanInProgress {
  readonly preset: Preset | null;
  /** What was made of the latest input that could be used; may belong to the input before while `facts.isWorking`. */
  readonly made: MadePlan | null;
  readonly facts: PlanFacts;
  readonly problem: HoldfastError | null;
  readonly retry: () => void;
}

const DEBOUNCE_MS = 250;

/**
 * The plan that the wizard's entries make. Each answer of the backend is kept under the input it belongs to, so a late answer to
 * an earlier input is never taken for the present one.
 */
export function usePlan(state: WizardState): PlanInProgress {
  const connection = useConnection();
  const presets = useCall('presets.list', {}, { freshForMs: Infinity });
  const { source } = state;
  const preset = (source?.kind === 'preset' && presets.data?.find(({ id }) => id === source.id)) || null;
  const input = planInput(state, preset);
  const key = JSON.stringify(input);
  const settled = useDebounced({ key, input }, DEBOUNCE_MS, key);
  const query = useQuery<MadePlan, HoldfastError>({
    queryKey: ['wizard.plan', settled.key],
    queryFn: () => {
      if (!settled.input) throw new Error('asked without an input');
      return makePlan(connection.call, settled.input);
    },
    enabled: settled.input !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

  const isWorking = presets.isPending || (input !== null && (settled.key !== key || query.isPending || query.isPlaceholderData));
  const made = query.data ?? null;
  const isOurs = made !== null && input !== null && !isWorking;
  const problem = presets.error ?? query.error;
  return {
    preset,
    made,
    facts: { isWorking, hasPlan: isOurs && made.plan !== null, issues: isOurs ? made.issues : [], failed: problem !== null },
    problem,
    retry: () => void (presets.error ? presets.refetch() : query.refetch()),
  };
}

function planInput(state: WizardState, preset: Preset | null): PlanInput | null {
  const { load, objectives, answers } = entriesOf(state);
  const { source, verifiesCertificates, authority, places, onLost, maker, countsCache } = state;
  if (!source || state.targets.some(({ url }) => url.trim() === '' || urlProblem(url) !== null)) return null;
  const edits = { load, objectives, presetTitle: preset?.title ?? null };
  const common = {
    targets: state.targets.map(toTarget),
    verifiesCertificates,
    authority,
    countsCache,
    edits,
    where: { places, onLost, maker },
  };
  if (source.kind === 'plan') return { from: source, ...common };
  const given = preset && answersFor(preset, answers, linksSeen(state));
  return preset && given ? { from: { kind: 'preset', id: preset.id, answers: given }, ...common } : null;
}
