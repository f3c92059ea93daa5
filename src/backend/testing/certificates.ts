import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KIND = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'];

function openssl(...options: string[]): void {
  execFileSync('openssl', options, { stdio: 'ignore' });
}

/** Creates a self-signed certificate for localhost with openssl. */
export function selfSigned(directory: string): { key: Buffer; cert: Buffer } {
  const key = join(directory, 'key.pem');
  const cert = join(directory, 'cert.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  openssl('req', '-x509', ...KIND, '-nodes', ...subject, '-keyout', key, '-out', cert);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

export interface Visitor {
  readonly certificate: string;
  readonly certificateFile: string;
  readonly key: string;
  readonly keyFile: string;
  /** The same private key, encrypted with the passphrase. */
  readonly encryptedKey: string;
  readonly encryptedKeyFile: string;
  readonly passphrase: string;
}

/** Creates a certificate authority with openssl, and a client certificate that the authority has signed. */
export function visitor(directory: string): Visitor & { readonly authority: string } {
  const file = (name: string): string => join(directory, name);
  const passphrase = 'open sesame';
  openssl('req', '-x509', ...KIND, '-nodes', '-subj', '/CN=authority', '-keyout', file('ca-key.pem'), '-out', file('ca.pem'));
  openssl('req', ...KIND.slice(0, 4), '-nodes', '-subj', '/CN=visitor', '-keyout', file('own-key.pem'), '-out', file('own.csr'));
  const signing = ['-CA', file('ca.pem'), '-CAkey', file('ca-key.pem'), '-set_serial', '7', '-days', '2'];
  openssl('x509', '-req', '-in', file('own.csr'), ...signing, '-out', file('own.pem'));
  writeFileSync(file('passphrase'), passphrase);
  const locking = ['-aes256', '-passout', `file:${file('passphrase')}`];
  openssl('pkey', '-in', file('own-key.pem'), ...locking, '-out', file('own-locked.pem'));
  const text = (name: string): string => readFileSync(file(name), 'utf8');
  return {
    authority: text('ca.pem'),
    certificate: text('own.pem'),
    certificateFile: file('own.pem'),
    key: text('own-key.pem'),
    keyFile: file('own-key.pem'),
    encryptedKey: text('own-locked.pem'),
    encryptedKeyFile: file('own-locked.pem'),
    passphrase,
  };
}
