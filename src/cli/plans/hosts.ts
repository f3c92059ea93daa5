import { HoldfastError } from '#core/base/errors.ts';
import { isHere, generatorNamesSchema } from '#core/plan/schema/hosts.ts';
import { monitorSchema } from '#core/plan/schema/monitors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { optionError } from '../output/problems.ts';

/** Adds monitors for these hosts to a plan. Existing monitors are not changed. */
export function withMonitors(plan: Plan, hosts: readonly string[]): Plan {
  const before = plan.monitors ?? [];
  const isWatched = (host: string): boolean =>
    before.some((monitor) => monitor.kind === 'machine' && (isHere(host) ? monitor.host === undefined : monitor.host === host));
  const added = [...new Set(hosts)].filter((host) => !isWatched(host)).map(machineMonitor);
  return added.length === 0 ? plan : { ...plan, monitors: [...before, ...added] };
}

function machineMonitor(host: string): NonNullable<Plan['monitors']>[number] {
  const parsed = monitorSchema.safeParse({ kind: 'machine', ...(isHere(host) ? {} : { host }) });
  if (parsed.success) return parsed.data;
  throw new HoldfastError({
    code: 'NO_SUCH_HOST',
    message: `--monitor ${host}: not a valid host name.`,
    hint: 'Use the name of a host in the list (holdfast hosts list), or “here” for this computer.',
  });
}

/** Validates the load generators of `--on` for a document. Throws `BAD_OPTION`. */
export function generatorsOption(on: readonly string[]): string[] {
  const parsed = generatorNamesSchema.safeParse(on);
  if (parsed.success) return parsed.data;
  throw optionError(
    `--on ${on.join(',')}: not a list of load generators.`,
    'Enter names of hosts (see: holdfast hosts list), and “here” for this computer, separated by commas.',
  );
}

/** Returns the load generators of a search as part of its document. Throws `BAD_OPTION`. */
export function searchGenerators(on: readonly string[] | undefined): { readonly on?: string[] } {
  return on === undefined ? {} : { on: generatorsOption(on) };
}
