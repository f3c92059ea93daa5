import { HoldfastError } from '#core/base/errors.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import { monitorSchema } from '#core/plan/schema/monitors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Adds monitors for these hosts. Existing monitors stay unchanged. */
export function withMonitors(plan: Plan, hosts: readonly string[]): Plan {
  const before = plan.monitors ?? [];
  const isWatched = (host: string): boolean =>
    before.some((monitor) => monitor.kind === 'machine' && (isHere(host) ? monitor.host === undefined : monitor.host === host));
  const added = [...new Set(hosts)].filter((host) => !isWatched(host)).map(machine);
  return added.length === 0 ? plan : { ...plan, monitors: [...before, ...added] };
}

function machine(host: string): NonNullable<Plan['monitors']>[number] {
  const parsed = monitorSchema.safeParse({ kind: 'machine', ...(isHere(host) ? {} : { host }) });
  if (parsed.success) return parsed.data;
  throw new HoldfastError({
    code: 'NO_SUCH_HOST',
    message: `--monitor ${host}: not a valid host name.`,
    hint: 'Use the name of a host in the list (holdfast hosts list), or “here” for this computer.',
  });
}
