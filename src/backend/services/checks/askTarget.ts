import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type SeenResponse, planLoad, type PlanLoad } from '#core/machines/checks/host/planLoad.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { toProblem } from '#core/base/errors.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { isVirtualLink, linkProbe, readLinks } from '#core/machines/checks/host/network.ts';
import { judgePath, judgeSshPath, pathUnknown } from '#core/machines/checks/path/judgePath.ts';
import { type MeasuredPath, type PathLink, type PathReading, pathUrl } from '#core/machines/checks/path/schema.ts';
import type { CheckFinding } from '#core/machines/checks/finding.ts';
import { measureFromHost, measureToHost } from '#backend/remote/host/measureSshPath.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { hostOf, localAddressesFor } from '../targets/targetConnection.ts';
import { resolveClientCertificate } from '../resolveJob.ts';
import { isAsked, type Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';
import type { OwnCertificate } from './check.ts';
import type { Shell } from './shell.ts';

/** Time after the complete response at which the load itself closes a connection (workers/drivers/stageLoad.ts). */
const MAX_SERVER_CLOSE_MS = 1_000;
const LIMIT_MS = 5_000;
const MAX_BYTES = 10 * 1_024 * 1_024;

/**
 * Requests the start page once with `Connection: close` and observes which side closes first. If it is the client, a load generator's ports
 * stay in TIME_WAIT. Returns null for a target behind a Unix socket, or if there is no response.
 */
export async function askTarget(plan: Plan): Promise<SeenResponse | null> {
  const [target] = plan.targets;
  if (target === undefined || plan.connections.socketPath !== undefined) return null;
  const url = new URL(target.url);
  const host = hostOf(url);
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const [localAddress] = localAddressesFor(plan.connections, host);
  const from = localAddress === undefined ? {} : { localAddress };
  const head = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
  return new Promise((resolve) => {
    const started = performance.now();
    // The certificate is not verified, because the request contains no secret and another check judges the certificate.
    const socket = secure ? connectTls({ host, port, ...from, rejectUnauthorized: false }) : connectPlain({ host, port, ...from });
    let bytes = 0;
    let lastMs = 0;
    const settle = (closesFirst: SeenResponse['closesFirst'] | null): void => {
      clearTimeout(limit);
      clearTimeout(quiet);
      socket.destroy();
      resolve(closesFirst === null || bytes === 0 ? null : { bytes, seconds: (lastMs - started) / 1_000, closesFirst });
    };
    const limit = setTimeout(() => settle(null), LIMIT_MS);
    let quiet: NodeJS.Timeout | undefined;
    socket.once(secure ? 'secureConnect' : 'connect', () => socket.write(head));
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      lastMs = performance.now();
      clearTimeout(quiet);
      quiet = setTimeout(() => settle('generator'), MAX_SERVER_CLOSE_MS);
      if (bytes > MAX_BYTES) settle('not known');
    });
    socket.once('end', () => settle('server'));
    socket.once('close', () => settle(null));
    socket.on('error', () => settle(null));
  });
}

/** Returns the client certificate of a plan if that requires no question to the user. Never throws. */
export async function readOwnCertificate(tls: Plan['tls'], secrets: Secrets): Promise<OwnCertificate> {
  const references = clientCertificateReferences(tls);
  if (references.length === 0 || references.some(isAsked)) return { kind: 'none' };
  try {
    const certificate = resolveClientCertificate(tls, await secrets.resolve(references));
    if (certificate === null) return { kind: 'none' };
    requireUsable(certificate, Date.now());
    return { kind: 'usable', certificate };
  } catch (thrown) {
    return { kind: 'unusable', problem: toProblem(thrown) };
  }
}

/** A possible load generator whose path to the target is examined. */
interface PathPlace {
  readonly name: string;
  readonly shell: Shell;
  measurePath(url: string): Promise<PathReading>;
}

export interface CheckedPath {
  readonly finding: CheckFinding;
  /** The path as it is stored for later runs; null if nothing was measured. */
  readonly path: MeasuredPath | null;
}

/** Measures the path from a load generator to the first target of a plan by means of the target's responses. */
export async function checkPath(place: PathPlace, plan: Plan, seenResponse: SeenResponse | null, now: Date): Promise<CheckedPath> {
  const address = pathUrl(plan);
  if (address === null)
    return { finding: pathUnknown('The target is a Unix socket: there is no network path.', 'Nothing was sent.'), path: null };
  const load = planLoad(plan, seenResponse);
  const link = await findSlowestLink(place.shell, load);
  const reading = await place.measurePath(address);
  const way = { from: place.name, to: new URL(address).origin, link };
  const finding = judgePath(reading, way, parseResponse(load, reading));
  const { megabits, isFull } = reading;
  return { finding, path: megabits === null ? null : { ...way, megabits, isFull, measuredAt: now.toISOString() } };
}

/** Measures the path between a host and this computer, over their SSH connection. */
export async function checkSshPath(host: string, connection: SshConnection): Promise<CheckFinding> {
  const down = await measureFromHost(connection);
  return judgeSshPath(host, down, await measureToHost(connection));
}

/**
 * Returns the load with the measured response size. The measurement sends no headers of the plan, so with cookies or compression the real
 * size may differ.
 */
function parseResponse(load: PlanLoad, { respondedBytes, responses }: PathReading): PlanLoad {
  return responses === 0 ? load : { ...load, responseBytes: respondedBytes / responses };
}

/** Returns the slowest link on the way to the targets, or null if unknown. */
async function findSlowestLink(shell: Shell, load: PlanLoad): Promise<PathLink | null> {
  const [probe = ''] = linkProbe(load);
  const result = await shell.run('sh', { input: `PATH="$PATH:/usr/sbin:/sbin"\n{ ${probe}\n} 2>/dev/null </dev/null\n` }).catch(() => null);
  const [link] = readLinks(result?.out ?? '').sort((one, other) => (one.megabits ?? Infinity) - (other.megabits ?? Infinity));
  return link === undefined ? null : { name: link.name, megabits: link.megabits, isVirtual: isVirtualLink(link) };
}
