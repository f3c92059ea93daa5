import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Configuration for openssl. Names in a certificate may contain anything that fits: 64 characters in a subject, and any text in an
 * alternative name.
 */
const CONFIGURATION = `
[req]
distinguished_name = name
x509_extensions = more
prompt = no
utf8 = yes
string_mask = utf8only
[name]
CN = \u001b]0;owned\u0007__proto__<script>globalThis.hostileRan=1</script>
O = =cmd|' /C calc'!A0
OU = \u202eexe.txt\u2028\u001b[2J
[more]
subjectAltName = @others
[others]
DNS.1 = __proto__
DNS.2 = constructor
DNS.3 = localhost
URI.1 = http://elsewhere.test/<script>globalThis.hostileRan=1</script>
IP.1 = 127.0.0.1
`;

/** Creates a self-signed certificate with hostile names, by means of openssl. */
export async function hostileCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-hostile-'));
  const file = (name: string): string => join(directory, name);
  try {
    await writeFile(file('request.cnf'), CONFIGURATION);
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file('key.pem')];
    await promisify(execFile)('openssl', ['req', '-x509', ...key, '-days', '2', '-config', file('request.cnf'), '-out', file('cert.pem')]);
    return { key: await readFile(file('key.pem'), 'utf8'), cert: await readFile(file('cert.pem'), 'utf8') };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
