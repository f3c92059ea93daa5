import { hasSecureTarget } from '#core/plan/hosts.ts';
import type { Issue } from '#core/plan/issues.ts';
import { certificatesIn, holdsPrivateKey } from '#core/plan/pem.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { error, warning } from './make.ts';

/** What a plan says of certificates. Whether a key belongs to its certificate shows when its secret is resolved. */
export function checkCertificates(plan: Plan): Issue[] {
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
