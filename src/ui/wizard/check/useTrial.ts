import { useQuery } from '@tanstack/react-query';
import type { HoldfastError } from '#core/base/errors.ts';
import { consumesRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { TryReport } from '#core/work/samples/tryPlan.ts';
import { useConnection } from '#ui/shared/backend.ts';

/** Result of a trial: one user walks the journey once before the load. */
export interface Trial {
  readonly state: 'none' | 'running' | 'passed' | 'failed';
  readonly report: TryReport | null;
  readonly problem: HoldfastError | null;
  readonly again: () => void;
}

interface TrialOptions {
  readonly plan: Plan | null;
  readonly agreed: string[];
  /**
   * Whether the user has agreed to everything that the plan needs, and this computer is the load generator. This computer cannot check what
   * other computers reach.
   */
  readonly isAllowed: boolean;
}

/** Walks the journey of a plan once, as soon as that is allowed, and again whenever something on which the journey depends has changed. */
export function useTrial({ plan, agreed, isAllowed }: TrialOptions): Trial {
  const connection = useConnection();
  const query = useQuery<TryReport, HoldfastError>({
    queryKey: ['wizard.trial', plan && trialKey(plan)],
    queryFn: () => {
      if (plan === null) throw new Error('tried without a plan');
      return connection.call('plans.try', { plan, agreed });
    },
    // Opening the page must not use up an account.
    enabled: plan !== null && isAllowed && !consumesRows(plan),
    // A failed trial is repeated when the user returns to the page, because a missing file may exist by then.
    staleTime: ({ state: { data } }) => (data?.isGood === true ? Number.POSITIVE_INFINITY : 0),
    retry: false,
  });
  const { data: report = null, error: problem, isFetching } = query;
  const isKnown = report !== null || problem !== null;
  return {
    state: isFetching ? 'running' : !isKnown ? 'none' : report?.isGood === true ? 'passed' : 'failed',
    report,
    problem,
    again: () => void query.refetch(),
  };
}

/** Returns the parts of a plan on which a trial depends, as text. */
function trialKey({ targets, journey, flow, feeds, tls, connections, cookies }: Plan): string {
  return JSON.stringify([targets, journey, flow, feeds, tls, connections, cookies]);
}
