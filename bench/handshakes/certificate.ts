import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A self-signed certificate for 127.0.0.1: its files and its text. */
export interface Certificate {
  readonly file: string;
  readonly keyFile: string;
  readonly text: string;
}

/** Common server keys by name, each with the options for openssl. */
export const KEYS = {
  'RSA-2048': ['-newkey', 'rsa:2048'],
  'ECDSA P-256': ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
} as const;
export type KeyName = keyof typeof KEYS;

/** Creates a certificate with openssl. @throws if openssl is missing. */
export async function makeCertificate(key: KeyName, folder: string): Promise<Certificate> {
  const [file, keyFile] = [join(folder, `${key}.pem`), join(folder, `${key}.key`)];
  const subjectOptions = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const parameters = ['req', '-x509', ...KEYS[key], '-nodes', '-days', '2', ...subjectOptions, '-keyout', keyFile, '-out', file];
  await promisify(execFile)('openssl', parameters);
  return { file, keyFile, text: await readFile(file, 'utf8') };
}
