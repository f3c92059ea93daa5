import type { Handlers } from '#contract/rpc/server.ts';

export interface OwnRuns {
  /** The same handlers, noting which runs were started through them. */
  readonly handlers: Handlers;
  /** Takes note of all runs that are going, of this process and of others. */
  see(going: readonly { readonly id: string }[]): void;
}

/**
 * Tells `report` how many runs of this process are going, each time that may have changed. Others in the shared store belong to
 * other processes and go on without this one.
 */
export function ownRuns(handlers: Handlers, report: (count: number) => void): OwnRuns {
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
          // The run may have been seen going before its start was answered.
          recount();
          return started;
        },
      },
    },
    see(going) {
      seen = going;
      recount();
    },
  };
}
