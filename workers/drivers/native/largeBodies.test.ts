import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const BYTES = 24 * 1_048_576;
/** Maximum number of bytes that may be kept: more than a socket and the reading of a file keep, and far less than the file. */
const MAX_KEPT_BYTES = 8 * 1_048_576;

let folder = '';
const opened: TestServer[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-large-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
  await rm(folder, { recursive: true, force: true });
});

async function largeFile(): Promise<{ path: string; bytes: number; modifiedMs: number; hash: string }> {
  const path = join(folder, 'film.bin');
  const content = Buffer.alloc(BYTES, 'Holdfast \u0000\u00ff', 'latin1');
  await writeFile(path, content);
  return { path, bytes: BYTES, modifiedMs: (await stat(path)).mtimeMs, hash: createHash('sha256').update(content).digest('hex') };
}

interface ReceivedFile {
  readonly type: string | undefined;
  readonly declared: number;
  readonly bytes: number;
  readonly hash: string;
}

/** With `slowly`, the server waits before it reads, so that sent bytes must wait somewhere. */
async function serve(slowly = false): Promise<{ server: TestServer; received: ReceivedFile[] }> {
  const received: ReceivedFile[] = [];
  const server = await httpServer((request, response) => {
    const hash = createHash('sha256');
    let bytes = 0;
    request.pause();
    setTimeout(() => request.resume(), slowly ? 300 : 0);
    request.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
    });
    request.on('error', () => {});
    request.on('end', () => {
      received.push({
        type: request.headers['content-type'],
        declared: Number(request.headers['content-length']),
        bytes,
        hash: hash.digest('hex'),
      });
      response.end('ok');
    });
  });
  opened.push(server);
  return { server, received };
}

const step = { name: 'upload', method: 'POST' as const, path: '/upload' };

describe('a body that is larger than memory allows', () => {
  it('is sent from disk byte by byte, with bounded memory', async () => {
    const { hash, ...film } = await largeFile();
    const { server, received } = await serve(true);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    // While the server does not read, all memory growth is caused by the driver.
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 10);
    setTimeout(() => clearInterval(watch), 280);
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 2, requests: 4 },
      plan: { journey: [{ ...step, bodyFile: film.path }] },
      largeFiles: { [film.path]: film },
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 4 });
    expect(received).toEqual(Array.from({ length: 4 }, () => ({ type: 'application/octet-stream', declared: BYTES, bytes: BYTES, hash })));
    expect(driven.cell.bytesSent).toBeGreaterThan(4 * BYTES);
    expect(most).toBeLessThan(MAX_KEPT_BYTES);
  });

  it('can be a part of a form', async () => {
    const { hash: _hash, ...film } = await largeFile();
    const { server, received } = await serve();
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 1, requests: 2 },
      plan: {
        journey: [
          {
            ...step,
            multipart: [
              { name: 'note', value: 'a' },
              { name: 'film', file: film.path, type: 'video/mp4' },
            ],
          },
        ],
      },
      largeFiles: { [film.path]: film },
    });
    expect(driven.cell.outcomes).toEqual({ ok: 2 });
    for (const { declared, bytes, type } of received) {
      expect(bytes).toBe(declared);
      expect(bytes).toBeGreaterThan(BYTES + 200);
      expect(type).toMatch(/^multipart\/form-data; boundary=/);
    }
  });

  it('is a named error if its file has changed or is missing, and the run continues', async () => {
    for (const [code, spoil] of [
      ['FILE_CHANGED', (path: string) => appendFile(path, 'x')],
      ['FILE_VANISHED', (path: string) => rm(path)],
    ] as const) {
      const { hash: _hash, ...film } = await largeFile();
      const { server } = await serve();
      await spoil(film.path);
      const driven = await drive({
        targets: [server.url],
        stage: { connections: 1, requests: 4 },
        plan: { journey: [{ ...step, bodyFile: film.path }, { name: 'page' }] },
        largeFiles: { [film.path]: film },
      });
      expect(driven.steps.map(({ outcomes }) => outcomes)).toEqual([{ notMade: 2 }, { ok: 2 }]);
      expect(driven.steps[0]?.errors).toEqual({ [`${code}@build`]: 2 });
    }
  });

  it('fails, and ends its connection, if the file changes while it is sent', async () => {
    const { hash: _hash, ...film } = await largeFile();
    const { server, received } = await serve(true);
    setTimeout(() => void appendFile(film.path, 'x'), 100);
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 1, requests: 1 },
      plan: { journey: [{ ...step, bodyFile: film.path }] },
      largeFiles: { [film.path]: film },
    });
    expect(driven.cell.errors).toEqual({ 'FILE_CHANGED@firstByte': 1 });
    expect(received).toEqual([]);
  });
});
