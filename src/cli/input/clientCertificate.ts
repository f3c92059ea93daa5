import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Issue } from '#core/plan/issues.ts';
import { certificatesIn, holdsPrivateKey, COPY_WHOLE_PEM } from '#core/plan/certificates.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { badOption } from './optionReader.ts';
import { secretSource } from './secrets.ts';
import { unreadFile } from '#core/base/errors.ts';

export type ReadCertificates =
  | { readonly pem: string; readonly holdsKey: boolean; readonly issue?: undefined }
  | { readonly pem?: undefined; readonly issue: Issue };

/** Reads only the certificates of a PEM file, because its key must not get into a plan. */
export async function readCertificates(option: string, file: string, currentDirectory: string): Promise<ReadCertificates> {
  const unusable = (message: string, hint: string): Issue => ({ level: 'error', code: 'BAD_OPTION', path: option, message, hint });
  let text: string;
  try {
    text = await readFile(resolve(currentDirectory, file), 'latin1');
  } catch (cause) {
    return { issue: unusable(unreadFile(file, cause).message, `Check its name. Holdfast looks for it in ${currentDirectory}.`) };
  }
  const certificates = certificatesIn(text);
  if (certificates.length === 0) {
    return {
      issue: unusable(
        `No certificate in PEM format in ${file}.`,
        'Such a file has a line -----BEGIN CERTIFICATE-----. To convert one from DER: openssl x509 -inform der -in FILE -out FILE.pem',
      ),
    };
  }
  const damaged = certificates.findIndex((certificate) => !isCertificate(certificate));
  if (damaged >= 0) {
    return { issue: unusable(`Certificate ${damaged + 1} in ${file} is damaged.`, COPY_WHOLE_PEM) };
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

export interface ClientCertificateFlags {
  readonly cert?: string;
  readonly key?: string;
  readonly keyPassphrase?: string;
}

type Field = NonNullable<NonNullable<PlanInput['tls']>['clientCertificate']>;

/** Builds the plan field of `--cert`, `--key` and `--key-passphrase`: the certificate and a reference to its key. */
export async function readClientCertificate(
  { cert, key, keyPassphrase }: ClientCertificateFlags,
  currentDirectory: string,
): Promise<{ readonly field: Field | null; readonly issues: readonly Issue[] }> {
  if (cert === undefined) {
    const alone = key === undefined ? (['--key-passphrase', keyPassphrase] as const) : (['--key', key] as const);
    if (alone[1] === undefined) return { field: null, issues: [] };
    // The value may be a plain-text passphrase, so the message omits it.
    return { field: null, issues: [badOption(alone[0], '', 'Name its certificate: --cert FILE.')] };
  }
  const issues: Issue[] = [];
  const certificates = await readCertificates('--cert', cert, currentDirectory);
  if (certificates.issue) issues.push(certificates.issue);
  else if (key === undefined && !certificates.holdsKey)
    issues.push(badOption('--cert', cert, 'This file has no private key. Name the file that has it: --key FILE.'));
  const passphrase = keyPassphrase === undefined ? null : secretSource(keyPassphrase, currentDirectory);
  if (passphrase?.from === 'text')
    issues.push(
      badOption(
        '--key-passphrase',
        '',
        'Everybody on this computer can read a command line. Use env:NAME, @file, or ask:Passphrase to be asked.',
      ),
    );
  if (issues.length > 0 || certificates.pem === undefined) return { field: null, issues };
  const secret = keyReference(key ?? cert, currentDirectory);
  return {
    field: {
      certificate: certificates.pem,
      key: { secret },
      ...(passphrase?.from === 'reference' ? { passphrase: { secret: passphrase.reference } } : {}),
    },
    issues,
  };
}

/** Reads a value without a prefix as a file path. */
function keyReference(key: string, currentDirectory: string): string {
  const source = secretSource(key, currentDirectory);
  if (source.from === 'reference') return source.reference;
  const file = secretSource(`@${key}`, currentDirectory);
  return file.from === 'reference' ? file.reference : key;
}
