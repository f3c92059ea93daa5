import { engineFor, hindrancesOfAutocannon } from '../engineFor.ts';
import { hasSecureTarget } from '#core/plan/hosts.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { k6Issues } from './k6.ts';
import { checkCertificates } from './certificates.ts';
import { error, warning } from './make.ts';

/** Whether the engine that the plan names can do what the plan says, and what it leaves unverified. */
export function checkEngine(plan: Plan): Issue[] {
  return [...checkCertificates(plan), ...checkNamedEngine(plan)];
}

function checkNamedEngine(plan: Plan): Issue[] {
  const isSecure = hasSecureTarget(plan);
  const unverified =
    isSecure && !plan.tls.verify
      ? [
          warning(
            'CERTIFICATE_NOT_VERIFIED',
            'tls.verify',
            'Certificates are not verified, as you asked.',
            'If the server has a certificate of your own authority, give that authority instead: then the load tells when it expires.',
          ),
        ]
      : [];
  if (engineFor(plan) === 'k6') return [...k6Issues(plan), ...unverified];
  if (engineFor(plan) !== 'autocannon') return unverified;
  const hindered = hindrancesOfAutocannon(plan)
    // Not verifying is what this plan wants: autocannon may do it.
    .filter(({ code }) => code !== 'CERTIFICATE_UNVERIFIABLE' || plan.tls.verify)
    .map(({ code, path, message }) =>
      error(code, path, `The engine “autocannon” ${message}.`, 'Leave the engine out, or name “native”: it can.'),
    );
  return [...hindered, ...unverified];
}
