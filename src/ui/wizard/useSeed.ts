import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { askKey, type Ask } from '#core/review/asks/ask.ts';
import { HERE, THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { labAnswersWhileRunning } from '#core/presets/lab.ts';
import { problemOf, type Problem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useConnection } from '#ui/app/backend.ts';
import { takeWizardSeed, useWizardSeed, type WizardSeed } from '#ui/app/wizardSeed.ts';
import type { Connection } from '#ui/app/connection.ts';
import type { WizardAction } from './state/reducer.ts';
import { useWizard } from './WizardContext.ts';

interface Planted {
  readonly actions: readonly WizardAction[];
  readonly path: string;
}

/** Takes up what another screen asked the wizard to begin with. */
export function useSeed(): { readonly isWorking: boolean; readonly problem: Problem | null } {
  const connection = useConnection();
  const { dispatch } = useWizard();
  const seed = useWizardSeed();
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    if (!seed || seed.kind === 'file') return;
    let left = false;
    plant(connection, seed).then(
      ({ actions, path }) => {
        if (left) return undefined;
        for (const action of actions) dispatch(action);
        setProblem(null);
        takeWizardSeed();
        return navigate(path, { replace: true });
      },
      (thrown: unknown) => {
        if (left) return;
        setProblem(problemOf(thrown));
        takeWizardSeed();
      },
    );
    return () => {
      left = true;
    };
  }, [seed, connection, dispatch]);
  return { isWorking: seed !== null && seed.kind !== 'file', problem: seed === null ? problem : null };
}

async function plant(connection: Connection, seed: Exclude<WizardSeed, { kind: 'file' }>): Promise<Planted> {
  switch (seed.kind) {
    case 'plan':
      return { actions: await taken(connection, seed.plan, seed.generators, seed.from), path: '/new/load' };
    case 'run': {
      const { plan, generators } = await connection.call('runs.result', { runId: seed.runId, maxPoints: 10 });
      const names = generators.map(({ name }) => name);
      return { actions: await taken(connection, plan, names), path: '/new/load' };
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

/** A plan, and where its load was made; a run whose generators nobody knows of says nothing about that. */
async function taken(connection: Connection, plan: Plan, generators: readonly string[] = [], from = plan): Promise<WizardAction[]> {
  const foreign = (await openOf(connection, from, generators)).map(askKey);
  return [{ type: 'planTaken', plan, foreign }, ...(generators.length === 0 ? [] : [{ type: 'placesTaken', generators } as const])];
}

/** What a plan asks for and nobody has agreed to, where its load was made before or on this computer. */
async function openOf(connection: Connection, plan: Plan, generators: readonly string[]): Promise<readonly Ask[]> {
  const { open } = await connection.call('plans.check', { plan });
  const on = generators.map((name) => (name === THIS_COMPUTER ? HERE : name));
  if (open.length === 0 || !on.some((name) => name !== HERE)) return open;
  return (await connection.call('plans.check', { plan, on })).open;
}
