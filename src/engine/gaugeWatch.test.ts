import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { watchSchema } from '#core/plan/schema/watchPages.ts';
import { GaugeWatch, numberIn } from './gaugeWatch.ts';

const servers: { close(): void }[] = [];
const watches: GaugeWatch[] = [];
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop();
  for (const server of servers.splice(0)) server.close();
});

async function serve(respond: () => { status: number; body: string }): Promise<string> {
  const server = createServer((_, response) => {
    const { status, body } = respond();
    response.writeHead(status).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf(server)}/`;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return address.port;
}

function watching(url: string, path = '$.connections', more: { counts?: string } = {}): GaugeWatch {
  const watch = new GaugeWatch([watchSchema.parse({ name: 'connections', url, path, everySeconds: 1, ...more })]);
  watches.push(watch);
  watch.start();
  return watch;
}

describe('a watched number', () => {
  it('is reported once each time it is read', async () => {
    let asked = 0;
    const url = await serve(() => ({ status: 200, body: JSON.stringify({ connections: (asked += 1) }) }));
    const watch = watching(url);
    await expect.poll(() => watch.take()).toEqual({ connections: 1 });
    expect(watch.take()).toEqual({});
    await expect.poll(() => watch.take(), { timeout: 30_000 }).toEqual({ connections: 2 });
  });

  it('is missing, never zero, after an error or a response that is too large', async () => {
    let asked = 0;
    const url = await serve(() => {
      asked += 1;
      return asked === 1 ? { status: 500, body: '{"connections":9}' } : { status: 200, body: 'x'.repeat(100_000) };
    });
    const watch = watching(url);
    await expect.poll(() => asked, { timeout: 30_000 }).toBe(2);
    expect(watch.take()).toEqual({});
  });

  it('is read until it no longer changes if it counts stored items', async () => {
    const values = [0, 1, 2, 3];
    let last = 0;
    const url = await serve(() => ({ status: 200, body: String((last = values.shift() ?? last)) }));
    const watch = watching(url, '$', { counts: 'upload' });
    expect(await watch.waitUntilConstant()).toBe(true);
    expect([watch.take(), last]).toEqual([{ connections: 3 }, 3]);
    expect(await watching(url, '$').waitUntilConstant()).toBe(false);
  });
});

it.each([
  ['12', '$', 12],
  ['{"a":[{"b":"3.5"}]}', '$.a[0].b', 3.5],
  ['{"a":null}', '$.a', null],
  ['{"a":true}', '$.a', null],
  ['{"a":""}', '$.a', null],
  ['<html>', '$', null],
  ['12', 'connections', null],
])('numberIn reads from %s at %s: %s', (text, path, number) => {
  expect(numberIn(text, path)).toBe(number);
});
