import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { cert, key } from '#workers/testing/certificate.ts';

/** An https server that counts its requests. */
export interface SecureTarget {
  readonly url: string;
  /** File with the server's self-signed certificate. The key is in a file next to it. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly requests: number;
}

export async function startSecureTarget(): Promise<SecureTarget> {
  const directory = temporaryDirectory();
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(certificateFile, cert);
  let requests = 0;
  const server = createServer({ key, cert }, (_request, response) => {
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
