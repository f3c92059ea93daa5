import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchRun } from './run.ts';

/** What a search does next: a run with its plan, a connection that is left alone for so long, or nothing more (early where there is a reason). */
export type SearchStep =
  | ({ readonly kind: 'run'; readonly plan: Plan } & Pick<SearchRun, 'purpose' | 'name' | 'level' | 'repeat'>)
  | { readonly kind: 'idle'; readonly purpose: 'idle'; readonly name: string; readonly seconds: number }
  | { readonly kind: 'end'; readonly because: string | null };

/** Why a search ends before it knows. */
export const TIME_USED_UP = 'The maximum duration was reached.';
