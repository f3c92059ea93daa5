import type { Role } from '#core/machines/checks/finding.ts';
import { placeOf } from '#core/plan/hosts/places.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Monitor, MonitorOf } from '#core/plan/schema/monitors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** What each machine is for the load, by its name (`here`: this computer); null: nothing. Left out: as the plan has it. */
export type Places = Readonly<Record<string, Role | null>>;

/** What was chosen in the card “Run from”. `onLost` null: as the plan has it. */
export interface WhereEntry {
  readonly places: Places;
  readonly onLost: Loss | null;
  /** Left out: as the plan has it. */
  readonly maker?: Maker | null;
}
/** Whose program makes the load. */
export type Maker = 'holdfast' | 'k6';

export function makerOf({ engine }: Pick<Plan, 'engine'>): Maker {
  return engine === 'k6' ? 'k6' : 'holdfast';
}

/** The engine of a plan whose load somebody is to make: what it has stays where it is theirs already. */
function engineOf(engine: Plan['engine'], maker: Maker): Plan['engine'] {
  if (makerOf({ engine }) === maker) return engine;
  return maker === 'k6' ? 'k6' : 'auto';
}
export type Loss = NonNullable<Plan['onLostGenerator']>;

type Watching = Pick<Plan, 'monitors'> | null;

/** What a machine is: as it was chosen, else as the plan watches it; this computer makes the load unless it was told otherwise. */
export function roleOf(name: string, places: Places, plan: Watching): Role | null {
  const chosen = chosenFor(name, places);
  if (chosen !== undefined) return chosen;
  return name === HERE ? 'generator' : watchedAs(name, plan);
}

/** What a plan watches a machine as; null where it does not. */
export function watchedAs(name: string, plan: Watching): Role | null {
  const watched = plan?.monitors?.find((monitor) => isMachine(monitor) && nameOf(monitor) === name);
  return watched !== undefined && isMachine(watched) ? (watched.role ?? 'target') : null;
}

/** Every machine that has a part in the load: this computer first, then as they were named. */
export function rolesOf(places: Places, plan: Watching): { readonly name: string; readonly role: Role }[] {
  const watched = (plan?.monitors ?? []).filter(isMachine).map(nameOf);
  return [...new Set([HERE, ...Object.keys(places), ...watched])].flatMap((name) => {
    const role = roleOf(name, places, plan);
    return role === null ? [] : [{ name, role }];
  });
}

/** Names of the machines with that part. */
export function namesOf(role: Role, places: Places, plan: Watching): string[] {
  return rolesOf(places, plan).flatMap((one) => (one.role === role ? [one.name] : []));
}

/** Where the load is made, as a start asks for it; undefined for this computer alone. */
export function placesToStartFrom(places: Places, plan: Watching): string[] | undefined {
  const makers = namesOf('generator', places, plan);
  return makers.length === 1 && makers[0] === HERE ? undefined : makers;
}

/** The plan with what was chosen: it watches the machines that are to be watched, and says what the loss of a generator means. */
export function withWhere<Made extends Pick<Plan, 'monitors' | 'onLostGenerator' | 'engine'>>(
  plan: Made,
  { places, onLost, maker = null }: WhereEntry,
): Made {
  const kept = (plan.monitors ?? []).flatMap((monitor): Monitor[] => {
    if (!isMachine(monitor)) return [monitor];
    const chosen = chosenFor(nameOf(monitor), places);
    return chosen === null ? [] : [as(monitor, chosen)];
  });
  const isKept = (name: string): boolean => kept.some((monitor) => isMachine(monitor) && nameOf(monitor) === name);
  const added = Object.entries(places).flatMap(([name, role]): Monitor[] =>
    role === null || role === 'generator' || isKept(name)
      ? []
      : [as({ kind: 'machine', ...(name === HERE ? {} : { host: name }), processes: [], containers: 'cgroup' }, role)],
  );
  const monitors = [...kept, ...added];
  return {
    ...plan,
    ...(monitors.length === 0 && plan.monitors === undefined ? {} : { monitors }),
    ...(onLost === null ? {} : { onLostGenerator: onLost }),
    ...(maker === null ? {} : { engine: engineOf(plan.engine, maker) }),
  };
}

/** The machines of an earlier load made its part; everything else stays as the plan has it. */
export function placesFrom(generators: readonly string[], places: Places, plan: Watching): Places {
  const makers = generators.map(placeOf);
  const others = Object.entries(places).filter(([name, role]) => name !== HERE && role !== 'generator');
  return {
    ...Object.fromEntries(others),
    ...(makers.includes(HERE) ? {} : { [HERE]: watchedAs(HERE, plan) }),
    ...Object.fromEntries(makers.filter((name) => name !== HERE).map((name) => [name, 'generator' as const])),
  };
}

/** A host may be called as anything is that every object has. */
function chosenFor(name: string, places: Places): Role | null | undefined {
  return getOwn(places, name);
}

function as(monitor: MonitorOf<'machine'>, role: Role | undefined): MonitorOf<'machine'> {
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
