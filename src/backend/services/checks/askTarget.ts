import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SeenResponse } from '#core/machines/checks/host/planLoad.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { toProblem } from '#core/base/errors.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { hostOf, localAddressesFor } from '../targets/targetConnection.ts';
import { resolveClientCertificate } from '../resolveJob.ts';
import { isAsked, type Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';
import type { OwnCertificate } from './check.ts';

/** Time after the whole response at which the load closes a connection itself (workers/drivers/stageLoad.ts). */
const LEFT_TO_SERVER_MS = 1_000;
const LIMIT_MS = 5_000;
const MAX_BYTES = 10 * 1_024 * 1_024;

/**
 * Sends one request for the start page with `Connection: close` and observes which side closes first. That decides whether the load's ports
 * stay in TIME_WAIT. Returns null for a target behind a Unix socket, and without a response.
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
    // Sends nothing secret. Another check judges the certificate.
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
      quiet = setTimeout(() => settle('generator'), LEFT_TO_SERVER_MS);
      if (bytes > MAX_BYTES) settle('not known');
    });
    socket.once('end', () => settle('server'));
    socket.once('close', () => settle(null));
    socket.on('error', () => settle(null));
  });
}

/** Returns the client certificate of a plan if that needs no question to the user. Never throws. */
export async function ownCertificate(tls: Plan['tls'], secrets: Secrets): Promise<OwnCertificate> {
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
