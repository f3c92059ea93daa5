import type { Handlers } from '#contract/rpc/server.ts';

export interface OwnRuns {
  /** The same handlers, which in addition record the runs that are started through them. */
  readonly handlers: Handlers;
  /** Updates the list of active runs from all processes. */
  update(activeRuns: readonly { readonly id: string }[]): void;
}

/**
 * Reports the number of active runs of this process after each possible change. Runs of other processes in the shared store continue
 * without this process.
 */
export function trackOwnRuns(handlers: Handlers, report: (count: number) => void): OwnRuns {
  const own = new Set<string>();
  let seen: readonly { readonly id: string }[] = [];
  const recount = (): void => report(seen.filter(({ id }) => own.has(id)).length);
  return {
    handlers: {
      ...handlers,
      calls: {
        ...handlers.calls,
        async 'runs.start'(input) {
          const started = await handlers.calls['runs.start'](input);
          own.add(started.runId);
          // A run may be seen as active before its start is confirmed.
          recount();
          return started;
        },
      },
    },
    update(activeRuns) {
      seen = activeRuns;
      recount();
    },
  };
}
