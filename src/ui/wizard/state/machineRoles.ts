import type { Role } from '#core/machines/checks/finding.ts';
import { placeOf } from '#core/plan/hosts/generatorNames.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Monitor, MonitorOf } from '#core/plan/schema/monitors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Role of each machine by its name (`here`: this computer); null: no role. Missing: role in the plan. */
export type MachineRoles = Readonly<Record<string, Role | null>>;

type MonitoringPlan = Pick<Plan, 'monitors'> | null;

/** Returns the role of a machine: the chosen one, else that of the plan. This computer is a load generator by default. */
export function roleOf(name: string, places: MachineRoles | undefined, plan: MonitoringPlan): Role | null {
  const chosen = chosenRole(name, places);
  if (chosen !== undefined) return chosen;
  return name === HERE ? 'generator' : monitoredRole(name, plan);
}

/** Returns the role in which a plan monitors a machine; null if it does not. */
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

/** Returns the names of the machines with that role. */
export function namesOf(role: Role, places: MachineRoles | undefined, plan: MonitoringPlan): string[] {
  return rolesOf(places, plan).flatMap((one) => (one.role === role ? [one.name] : []));
}

/** Returns the load generators as input of a start; undefined for this computer alone. */
export function generatorChoices(places: MachineRoles | undefined, plan: MonitoringPlan): string[] | undefined {
  const generators = namesOf('generator', places, plan);
  return generators.length === 1 && generators[0] === HERE ? undefined : generators;
}

/** Applies chosen roles to the monitors of a plan. */
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

/** Sets the load generators of an earlier run. Other roles stay as in the plan. */
export function withGenerators(names: readonly string[], places: MachineRoles | undefined, plan: MonitoringPlan): MachineRoles {
  const generators = names.map(placeOf);
  const others = Object.entries(places ?? {}).filter(([name, role]) => name !== HERE && role !== 'generator');
  return {
    ...Object.fromEntries(others),
    ...(generators.includes(HERE) ? {} : { [HERE]: monitoredRole(HERE, plan) }),
    ...Object.fromEntries(generators.filter((name) => name !== HERE).map((name) => [name, 'generator' as const])),
  };
}

/** Uses getOwn, because a host may have the name of a property of every object. */
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
