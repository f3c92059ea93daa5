import { problemOf } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { resolveClientCertificate } from '../services/runs/resolveJob.ts';
import type { Secrets } from '../services/secrets.ts';
import { requireUsable } from '../services/targets/certificates.ts';
import type { OwnCertificate } from './check.ts';

/** The client certificate of a plan as far as it can be had without asking anybody. Never throws. */
export async function ownCertificate(tls: Plan['tls'], secrets: Secrets): Promise<OwnCertificate> {
  const references = clientCertificateReferences(tls);
  if (references.length === 0 || references.some((reference) => reference.startsWith('ask:'))) return { kind: 'none' };
  try {
    const certificate = resolveClientCertificate(tls, await secrets.resolve(references));
    if (certificate === null) return { kind: 'none' };
    requireUsable(certificate, Date.now());
    return { kind: 'usable', certificate };
  } catch (thrown) {
    return { kind: 'unusable', problem: problemOf(thrown) };
  }
}
