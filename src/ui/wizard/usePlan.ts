import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { type HoldfastError, type Problem, toProblem } from '#core/base/errors.ts';
import type { Preset } from '#core/presets/schema.ts';
import { useCall, useConnection } from '#ui/shared/backend.ts';
import { useDebounced } from '#ui/shared/useDebounced.ts';
import { urlProblem } from '#core/plan/url.ts';
import { type Ask, askKey } from '#core/review/asks/ask.ts';
import { HERE, THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { labAnswersWhileRunning } from '#core/presets/lab.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { takeWizardSeed, useWizardSeed, type WizardSeed } from '#ui/shared/wizardSeed.ts';
import type { Connection } from '#ui/shared/connection.ts';
import { answersFor, linksSeen, protocolSeen } from './state/answers.ts';
import { areValid } from './state/choices.ts';
import { toTarget } from './state/entries.ts';
import { type MadePlan, requestPlan, type PlanInput, restorePreset } from './state/makePlan.ts';
import type { PlanFacts } from './state/readiness.ts';
import { listEntries, type WizardState } from './state/types.ts';
import type { RestoredPreset, WizardAction } from './state/reducer.ts';
import { useWizard } from './WizardProvider.tsx';

export interface PlanInProgress {
  readonly preset: Preset | null;
  /** Plan of the latest valid input. While `facts.isWorking` is true, it may be the plan of the previous input. */
  readonly made: MadePlan | null;
  readonly facts: PlanFacts;
  readonly problem: HoldfastError | null;
  readonly retry: () => void;
}

/**
 * Returns the plan that results from the wizard's entries. Responses from the backend are cached by their input, so a late response to an
 * earlier input is never used for the current one.
 */
export function usePlan(state: WizardState): PlanInProgress {
  const connection = useConnection();
  const presets = useCall('presets.list', {}, { freshForMs: Infinity });
  const { source } = state;
  const preset = (source?.kind === 'preset' && presets.data?.find(({ id }) => id === source.id)) || null;
  const input = planInput(state, preset);
  const key = JSON.stringify(input);
  const debounced = useDebounced({ key, input }, key);
  const query = useQuery<MadePlan, HoldfastError>({
    queryKey: ['wizard.plan', debounced.key],
    queryFn: () => {
      if (!debounced.input) throw new Error('asked without an input');
      return requestPlan(connection.call, debounced.input);
    },
    enabled: debounced.input !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

  const isWorking = presets.isPending || (input !== null && (debounced.key !== key || query.isPending || query.isPlaceholderData));
  const newPlan = query.data ?? null;
  const isOurs = newPlan !== null && input !== null && !isWorking;
  const problem = presets.error ?? query.error;
  return {
    preset,
    made: newPlan,
    facts: { isWorking, hasPlan: isOurs && newPlan.plan !== null, issues: isOurs ? newPlan.issues : [], failed: problem !== null },
    problem,
    retry: () => void (presets.error ? presets.refetch() : query.refetch()),
  };
}

function planInput(state: WizardState, preset: Preset | null): PlanInput | null {
  const { load, criteria, answers } = listEntries(state);
  const { source, choices } = state;
  if (!source || state.targets.some(({ url }) => url.trim() === '' || urlProblem(url) !== null) || !areValid(choices)) return null;
  const common = { targets: state.targets.map(toTarget), edits: { load, criteria, presetTitle: preset?.title ?? null } };
  if (source.kind === 'plan') return { from: source, choices, ...common };
  const presetAnswers = preset && answersFor(preset, answers, linksSeen(state));
  // A preset uses the HTTP version that browsers use; an earlier plan keeps its own.
  return (
    preset &&
    presetAnswers && {
      from: { kind: 'preset', id: preset.id, answers: presetAnswers },
      choices: { ...protocolSeen(state), ...choices },
      ...common,
    }
  );
}

interface SeedOpening {
  readonly actions: readonly WizardAction[];
  readonly path: string;
}

/** Applies the seed that another screen has set. */
export function useWizardSeedActions(): {
  readonly isWorking: boolean;
  readonly problem: Problem | null;
  /** Whether the test starts as soon as possible. False once that has been attempted. */
  readonly starts: boolean;
  readonly hasStarted: () => void;
} {
  const connection = useConnection();
  const { dispatch } = useWizard();
  const seed = useWizardSeed();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [starts, setStarts] = useState(false);

  useEffect(() => {
    if (!seed || seed.kind === 'file') return;
    let isLeft = false;
    readOpening(connection, seed).then(
      ({ actions, path }) => {
        if (isLeft) return undefined;
        for (const action of actions) dispatch(action);
        setProblem(null);
        setStarts(seed.kind === 'run' && seed.starts === true);
        takeWizardSeed();
        return navigate(path, { replace: true });
      },
      (thrown: unknown) => {
        if (isLeft) return;
        setProblem(toProblem(thrown));
        takeWizardSeed();
      },
    );
    return () => {
      isLeft = true;
    };
  }, [seed, connection, dispatch]);
  return {
    isWorking: seed !== null && seed.kind !== 'file',
    problem: seed === null ? problem : null,
    starts,
    hasStarted: () => setStarts(false),
  };
}

async function readOpening(connection: Connection, seed: Exclude<WizardSeed, { kind: 'file' }>): Promise<SeedOpening> {
  switch (seed.kind) {
    case 'plan':
      return { actions: await openPlanActions(connection, seed.plan, seed), path: '/new/load' };
    case 'run': {
      const { plan, generators } = await connection.call('runs.result', { runId: seed.runId, maxPoints: 10 });
      const names = generators.map(({ name }) => name);
      const preset = await restorePreset(connection.call, plan);
      const actions = await openPlanActions(connection, plan, { generators: names, preset });
      return seed.starts === true
        ? { actions: [...actions, { type: 'pageOpened', page: 'check' }], path: '/new/check' }
        : { actions, path: '/new/load' };
    }
    case 'hosts': {
      return { actions: [{ type: 'placesTaken', generators: seed.names }], path: '/new' };
    }
    case 'lab': {
      const [presets, server] = await Promise.all([
        connection.call('presets.list', {}),
        connection.call('lab.start', { name: seed.name, options: {} }),
      ]);
      const preset = presets.find(({ lab }) => lab === seed.name) ?? presets.find(({ login }) => !login) ?? presets[0];
      const targets = server.urls.map((url) => ({ url, headers: {} }));
      const answers = preset ? labAnswersWhileRunning(preset, server) : {};
      const filled: WizardAction = { type: 'targetsFilled', targets, username: server.accounts[0]?.username ?? null, answers };
      if (!preset) return { actions: [filled], path: '/new' };
      return { actions: [{ type: 'presetChosen', id: preset.id }, filled, { type: 'pageOpened', page: 'target' }], path: '/new/target' };
    }
    default:
      return seed satisfies never;
  }
}

interface Origin {
  /** Load generators of the original run; undefined if unknown. */
  readonly generators?: readonly string[];
  /** Plan whose missing permissions need consent; by default, the opened plan itself. */
  readonly from?: Plan;
  /** The preset of the plan, if its questions still lead to this plan. */
  readonly preset?: RestoredPreset | null;
  readonly isLoadProposed?: boolean;
}

/** Returns the actions that open a plan, including its questions if the plan comes from a preset. */
async function openPlanActions(
  connection: Connection,
  plan: Plan,
  { generators = [], from = plan, preset = null, isLoadProposed = false }: Origin,
): Promise<WizardAction[]> {
  const foreign = (await findOpenAsks(connection, from, generators)).map(askKey);
  const take: WizardAction = preset
    ? { type: 'presetTaken', preset, targets: plan.targets, foreign }
    : { type: 'planTaken', plan, foreign, isLoadProposed };
  return generators.length === 0 ? [take] : [take, { type: 'placesTaken', generators }];
}

/** Returns the permissions that a plan needs and that have not been given, for the previous load generators or for this computer. */
async function findOpenAsks(connection: Connection, plan: Plan, generators: readonly string[]): Promise<readonly Ask[]> {
  const { open } = await connection.call('plans.asks', { plan });
  const on = generators.map((name) => (name === THIS_COMPUTER ? HERE : name));
  if (open.length === 0 || !on.some((name) => name !== HERE)) return open;
  return (await connection.call('plans.asks', { plan, on })).open;
}
