import { hasSecureTarget } from '#core/plan/hosts.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { certificatesIn, holdsPrivateKey } from '#core/plan/certificates.ts';
import { engineFor, ownEngine } from '../engines/engineFor.ts';
import { k6Issues } from './k6.ts';
import { warning } from './make.ts';

/** Checks certificates of a plan. Whether a key matches its certificate is checked when its secret is resolved. */
function checkCertificates(plan: Plan): Issue[] {
  const { ca, clientCertificate: own } = plan.tls;
  const ofAuthority =
    ca === undefined ? [] : checkPem(ca, 'tls.ca', '--ca FILE', 'Remove it. To trust an authority, its certificate is enough.');
  if (own === undefined) return ofAuthority;
  const path = 'tls.clientCertificate';
  const useless = hasSecureTarget(plan)
    ? []
    : [
        warning(
          'CLIENT_CERTIFICATE_UNUSED',
          path,
          'No target uses https, so the client certificate is not used.',
          'Use https:// in the address, or remove the client certificate.',
        ),
      ];
  return [
    ...ofAuthority,
    ...checkPem(own.certificate, `${path}.certificate`, '--cert FILE', 'Remove it and write where it is: key: {secret: file:PATH}.'),
    ...useless,
  ];
}

function checkPem(text: string, path: string, option: string, keyHint: string): Issue[] {
  const issues: Issue[] = [];
  if (certificatesIn(text).length === 0) {
    issues.push(
      error(
        'NO_CERTIFICATE',
        path,
        'This is not a PEM certificate.',
        `Enter the text of the file, which begins with -----BEGIN CERTIFICATE-----. On the command line, ${option} reads it.`,
      ),
    );
  }
  if (holdsPrivateKey(text)) {
    issues.push(error('PRIVATE_KEY_IN_PLAN', path, 'The certificate contains a private key, but plans are stored and shared.', keyHint));
  }
  return issues;
}

/** Checks that the engine supports the plan, and warns of certificates it cannot verify. */
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
            'Certificate verification is off.',
            'If the certificate is from your own authority, trust that authority instead. The load then reports when it expires.',
          ),
        ]
      : [];
  const engine = engineFor(plan);
  if (engine === 'k6') return [...k6Issues(plan), ...unverified];
  const hindered = ownEngine(engine)
    .hindrancesOf(plan)
    // A plan may turn verification off.
    .filter(({ code }) => code !== 'CERTIFICATE_UNVERIFIABLE' || plan.tls.verify)
    .map(({ code, path, message }) =>
      error(code, path, `The engine “${engine}” ${message}.`, 'Remove the engine, or set “native”, which supports this.'),
    );
  return [...hindered, ...unverified];
}
