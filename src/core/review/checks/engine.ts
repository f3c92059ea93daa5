import { hasSecureTarget } from '#core/plan/hosts.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { certificatesIn, holdsPrivateKey } from '#core/plan/certificates.ts';
import { engineFor, ownEngine } from '../engines/engineFor.ts';
import { k6Issues } from './k6.ts';
import { error, warning } from './make.ts';

/** What a plan says of certificates. Whether a key belongs to its certificate shows when its secret is resolved. */
function checkCertificates(plan: Plan): Issue[] {
  const { ca, clientCertificate: own } = plan.tls;
  const ofAuthority =
    ca === undefined ? [] : checkPem(ca, 'tls.ca', '--ca FILE', 'Take it out: to trust an authority its certificate is enough.');
  if (own === undefined) return ofAuthority;
  const path = 'tls.clientCertificate';
  const useless = hasSecureTarget(plan)
    ? []
    : [
        warning(
          'CLIENT_CERTIFICATE_UNUSED',
          path,
          'No target is an https address, so nobody will ask for the client certificate.',
          'Write https:// in the address, or leave the client certificate out.',
        ),
      ];
  return [
    ...ofAuthority,
    ...checkPem(own.certificate, `${path}.certificate`, '--cert FILE', 'Take it out, and say where it is kept: key: {secret: file:PATH}.'),
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
        'This is no certificate in PEM form.',
        `Give the text of the file: it begins with -----BEGIN CERTIFICATE-----. On the command line, ${option} reads it.`,
      ),
    );
  }
  if (holdsPrivateKey(text)) {
    issues.push(
      error('PRIVATE_KEY_IN_PLAN', path, 'There is a private key beside the certificate, and plans are stored and shared.', keyHint),
    );
  }
  return issues;
}

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
  const engine = engineFor(plan);
  if (engine === 'k6') return [...k6Issues(plan), ...unverified];
  const hindered = ownEngine(engine)
    .hindrancesOf(plan)
    // Not verifying may be what this plan wants.
    .filter(({ code }) => code !== 'CERTIFICATE_UNVERIFIABLE' || plan.tls.verify)
    .map(({ code, path, message }) =>
      error(code, path, `The engine “${engine}” ${message}.`, 'Leave the engine out, or name “native”: it can.'),
    );
  return [...hindered, ...unverified];
}
