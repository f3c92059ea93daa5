import { useQuery } from '@tanstack/react-query';
import type { HoldfastError } from '#core/base/errors.ts';
import { usesRowsUp } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { TryReport } from '#core/work/samples/tryPlan.ts';
import { useConnection } from '#ui/app/backend.ts';

/** What became of the journey that one visitor makes before a load repeats it a thousand times. */
export interface Trial {
  readonly state: 'none' | 'going' | 'good' | 'bad';
  readonly report: TryReport | null;
  readonly problem: HoldfastError | null;
  readonly again: () => void;
}

interface TrialOptions {
  readonly plan: Plan | null;
  readonly agreed: string[];
  /** Whether everything that the plan asks for was agreed to, and its load is made on this computer: what others reach is not for this one to say. */
  readonly isAllowed: boolean;
}

/** Walks the journey of a plan once, as soon as that is allowed, and anew when the way changes; once for each way. */
export function useTrial({ plan, agreed, isAllowed }: TrialOptions): Trial {
  const connection = useConnection();
  const query = useQuery<TryReport, HoldfastError>({
    queryKey: ['wizard.trial', plan && wayOf(plan)],
    queryFn: () => {
      if (plan === null) throw new Error('tried without a plan');
      return connection.call('plans.try', { plan, agreed });
    },
    // Whoever opens the page has not asked for an account to be used up.
    enabled: plan !== null && isAllowed && !usesRowsUp(plan),
    // A trial that failed is repeated when one comes back: a file that was missing may be there.
    staleTime: ({ state: { data } }) => (data?.isGood === true ? Number.POSITIVE_INFINITY : 0),
    retry: false,
  });
  const { data: report = null, error: problem, isFetching } = query;
  const isKnown = report !== null || problem !== null;
  return {
    state: isFetching ? 'going' : !isKnown ? 'none' : report?.isGood === true ? 'good' : 'bad',
    report,
    problem,
    again: () => void query.refetch(),
  };
}

/** What a trial follows from. */
function wayOf({ targets, journey, flow, feeds, tls, connections, cookies }: Plan): string {
  return JSON.stringify([targets, journey, flow, feeds, tls, connections, cookies]);
}
