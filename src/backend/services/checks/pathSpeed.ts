import { isVirtualLink, linkProbe, readLinks } from '#core/machines/checks/host/network.ts';
import { planLoad, type PlanLoad, type SeenResponse } from '#core/machines/checks/host/planLoad.ts';
import { judgePath, judgeSshPath, pathUnknown } from '#core/machines/checks/path/judgePath.ts';
import { type MeasuredPath, type PathLink, type PathReading, pathUrl } from '#core/machines/checks/path/schema.ts';
import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { measureFromHost, measureToHost } from '#backend/remote/host/measureSshPath.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import type { Shell } from './shell.ts';

/** A possible load generator, as far as its path to the target matters. */
interface PathPlace {
  readonly name: string;
  /** The shell of the machine. */
  readonly shell: Shell;
  measurePath(url: string): Promise<PathReading>;
}

export interface CheckedPath {
  readonly finding: CheckFinding;
  /** The path stored for later runs; null if nothing was measured. */
  readonly path: MeasuredPath | null;
}

/** Measures the path from a load generator to the first target of a plan, by its responses. */
export async function checkPath(place: PathPlace, plan: Plan, seen: SeenResponse | null, now: Date): Promise<CheckedPath> {
  const address = pathUrl(plan);
  if (address === null)
    return { finding: pathUnknown('The target is a Unix socket: there is no network path.', 'Nothing was sent.'), path: null };
  const load = planLoad(plan, seen);
  const link = await linkTo(place.shell, load);
  const reading = await place.measurePath(address);
  const way = { from: place.name, to: new URL(address).origin, link };
  const finding = judgePath(reading, way, parseResponse(load, reading));
  const { megabits, isFull } = reading;
  return { finding, path: megabits === null ? null : { ...way, megabits, isFull, measuredAt: now.toISOString() } };
}

/** Measures the path between a host and this computer, over its connection. */
export async function checkSshPath(host: string, connection: SshConnection): Promise<CheckFinding> {
  const down = await measureFromHost(connection);
  return judgeSshPath(host, down, await measureToHost(connection));
}

/**
 * Uses the measured response size. The measurement sent no headers of the plan, so with cookies or compression the real size may differ.
 */
function parseResponse(load: PlanLoad, { respondedBytes, responses }: PathReading): PlanLoad {
  return responses === 0 ? load : { ...load, responseBytes: respondedBytes / responses };
}

/** Returns the slowest link on the way to the targets, or null if unknown. */
async function linkTo(shell: Shell, load: PlanLoad): Promise<PathLink | null> {
  const [probe = ''] = linkProbe(load);
  const said = await shell.run('sh', { input: `PATH="$PATH:/usr/sbin:/sbin"\n{ ${probe}\n} 2>/dev/null </dev/null\n` }).catch(() => null);
  const [link] = readLinks(said?.out ?? '').sort((one, other) => (one.megabits ?? Infinity) - (other.megabits ?? Infinity));
  return link === undefined ? null : { name: link.name, megabits: link.megabits, isVirtual: isVirtualLink(link) };
}
