import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

/** An https server that counts for itself what it was asked. */
export interface SecureTarget {
  readonly url: string;
  /** The file with its certificate, which signs itself; the key lies beside it. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly requests: number;
}

export async function startSecureTarget(): Promise<SecureTarget> {
  const directory = temporaryDirectory();
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' });
  let requests = 0;
  const server = createServer({ key: await readFile(keyFile), cert: await readFile(certificateFile) }, (_request, response) => {
    requests += 1;
    response.end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  return {
    url: `https://127.0.0.1:${address.port}/`,
    certificateFile,
    keyFile,
    get requests() {
      return requests;
    },
  };
}
