import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Issue } from '#core/plan/issues.ts';
import { certificatesIn, holdsPrivateKey } from '#core/plan/certificates.ts';

export type ReadCertificates =
  | { readonly pem: string; readonly holdsKey: boolean; readonly issue?: undefined }
  | { readonly pem?: undefined; readonly issue: Issue };

/** The certificates of the PEM file that `option` names, without whatever else stands in it: a key must not get into a plan. */
export async function readCertificates(option: string, file: string, currentDirectory: string): Promise<ReadCertificates> {
  const unusable = (message: string, hint: string): Issue => ({ level: 'error', code: 'BAD_OPTION', path: option, message, hint });
  let text: string;
  try {
    text = await readFile(resolve(currentDirectory, file), 'latin1');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { issue: unusable(`The file ${file} cannot be read: ${reason}`, `Check its name; it is looked for in ${currentDirectory}.`) };
  }
  const certificates = certificatesIn(text);
  if (certificates.length === 0) {
    return {
      issue: unusable(
        `There is no certificate in PEM form in ${file}.`,
        'Such a file holds a line -----BEGIN CERTIFICATE-----. One in DER form becomes one with: openssl x509 -inform der -in FILE -out FILE.pem',
      ),
    };
  }
  const damaged = certificates.findIndex((certificate) => !isCertificate(certificate));
  if (damaged >= 0) {
    return { issue: unusable(`Certificate ${damaged + 1} in ${file} is damaged.`, 'Copy the file again, all lines from BEGIN to END.') };
  }
  return { pem: `${certificates.join('\n')}\n`, holdsKey: holdsPrivateKey(text) };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
