import type { Role } from '#core/machines/checks/finding.ts';
import { placeOf } from '#core/plan/hosts/generatorNames.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Monitor, MonitorOf } from '#core/plan/schema/monitors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * Role of each machine by its name (`here` is this computer). null means no role. If a machine is missing, its role in the plan applies.
 */
export type MachineRoles = Readonly<Record<string, Role | null>>;

type MonitoringPlan = Pick<Plan, 'monitors'> | null;

/** Returns the role of a machine: the one that was chosen, or else the one in the plan. By default, this computer is a load generator. */
export function roleOf(name: string, places: MachineRoles | undefined, plan: MonitoringPlan): Role | null {
  const chosen = chosenRole(name, places);
  if (chosen !== undefined) return chosen;
  return name === HERE ? 'generator' : monitoredRole(name, plan);
}

/** Returns the role in which a plan monitors a machine; null if the plan does not monitor it. */
function monitoredRole(name: string, plan: MonitoringPlan): Role | null {
  const watchedMonitor = plan?.monitors?.find((monitor) => isMachine(monitor) && nameOf(monitor) === name);
  return watchedMonitor !== undefined && isMachine(watchedMonitor) ? (watchedMonitor.role ?? 'target') : null;
}

/** Returns all machines with a role: this computer first, the others in the order in which they were named. */
export function rolesOf(places: MachineRoles | undefined, plan: MonitoringPlan): { readonly name: string; readonly role: Role }[] {
  const watched = (plan?.monitors ?? []).filter(isMachine).map(nameOf);
  return [...new Set([HERE, ...Object.keys(places ?? {}), ...watched])].flatMap((name) => {
    const role = roleOf(name, places, plan);
    return role === null ? [] : [{ name, role }];
  });
}

/** Returns the names of the machines with this role. */
export function namesOf(role: Role, places: MachineRoles | undefined, plan: MonitoringPlan): string[] {
  return rolesOf(places, plan).flatMap((one) => (one.role === role ? [one.name] : []));
}

/** Returns the load generators in the form that a start expects; undefined if this computer is the only one. */
export function generatorChoices(places: MachineRoles | undefined, plan: MonitoringPlan): string[] | undefined {
  const generators = namesOf('generator', places, plan);
  return generators.length === 1 && generators[0] === HERE ? undefined : generators;
}

/** Applies chosen roles to a plan's monitors. */
export function withRoles({ monitors = [] }: Pick<Plan, 'monitors'>, places: MachineRoles): Pick<Plan, 'monitors'> {
  const kept = monitors.flatMap((monitor): Monitor[] => {
    if (!isMachine(monitor)) return [monitor];
    const chosen = chosenRole(nameOf(monitor), places);
    return chosen === null ? [] : [withRole(monitor, chosen)];
  });
  const added = Object.entries(places).flatMap(([name, role]): Monitor[] =>
    role === null || role === 'generator' || kept.some((monitor) => isMachine(monitor) && nameOf(monitor) === name)
      ? []
      : [withRole({ kind: 'machine', ...(name === HERE ? {} : { host: name }), processes: [], containers: 'cgroup' }, role)],
  );
  return kept.length + added.length + monitors.length === 0 ? {} : { monitors: [...kept, ...added] };
}

/** Sets the load generators of an earlier run. The roles of other machines remain. */
export function withGenerators(names: readonly string[], places: MachineRoles | undefined, plan: MonitoringPlan): MachineRoles {
  const generators = names.map(placeOf);
  const others = Object.entries(places ?? {}).filter(([name, role]) => name !== HERE && role !== 'generator');
  return {
    ...Object.fromEntries(others),
    ...(generators.includes(HERE) ? {} : { [HERE]: monitoredRole(HERE, plan) }),
    ...Object.fromEntries(generators.filter((name) => name !== HERE).map((name) => [name, 'generator' as const])),
  };
}

/** Returns the chosen role. getOwn is needed, because a host may have the name of a property that every object has. */
function chosenRole(name: string, places: MachineRoles = {}): Role | null | undefined {
  return getOwn(places, name);
}

function withRole(monitor: MonitorOf<'machine'>, role: Role | undefined): MonitorOf<'machine'> {
  if (role === undefined || role === 'generator') return monitor;
  const { role: _role, ...others } = monitor;
  return role === 'hop' ? { ...others, role } : others;
}

function isMachine(monitor: Monitor): monitor is MonitorOf<'machine'> {
  return monitor.kind === 'machine';
}

function nameOf({ host }: MonitorOf<'machine'>): string {
  return host ?? HERE;
}
