import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchRun } from './run.ts';

/** Next step of a search: a run with its plan, an idle connection to observe, or the end (with a reason if early). */
export type SearchStep =
  | ({ readonly kind: 'run'; readonly plan: Plan } & Pick<SearchRun, 'purpose' | 'name' | 'level' | 'repeat'>)
  | { readonly kind: 'idle'; readonly purpose: 'idle'; readonly name: string; readonly seconds: number }
  | { readonly kind: 'end'; readonly because: string | null };

/** Reason why a search ends early. */
export const TIME_USED_UP = 'The maximum duration was reached.';
