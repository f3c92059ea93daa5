import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

/**
 * An npm registry whose packages all contain the same small program. The program reports the given Node version and runs the Node of this
 * test.
 */
export interface NodeRegistry {
  readonly version: string;
  /** The environment variables that npm needs. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startNodeRegistry(version: string): Promise<NodeRegistry> {
  const directory = temporaryDirectory();
  const archive = packed(directory, version);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server = createServer((request, response) => {
    const [name = ''] = (request.url ?? '').slice(1).split('/');
    if (request.url?.endsWith('.tgz') === true) return void response.end(archive);
    const tarball = `http://${request.headers.host}/${name}/${name}.tgz`;
    const versions = { [version]: { name, version, dist: { tarball, integrity } } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address has a port, because the server listens on TCP.
  const { port } = server.address() as AddressInfo;
  return {
    version,
    // npm gets its own cache, because the packages of this registry exist nowhere else.
    environment: { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: join(directory, 'cache') },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function packed(directory: string, version: string): Buffer {
  const bin = join(directory, 'package', 'bin');
  mkdirSync(bin, { recursive: true });
  const program = `#!/bin/sh\nif [ "$1" = --version ]; then echo v${version}; exit; fi\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(join(bin, 'node'), program, { mode: 0o755 });
  writeFileSync(join(directory, 'package', 'package.json'), JSON.stringify({ name: 'node', version }));
  const file = join(directory, 'package.tgz');
  execFileSync('tar', ['-czf', file, '-C', directory, 'package']);
  return readFileSync(file);
}
