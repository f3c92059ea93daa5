import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedSchema } from '#core/plan/schema/populate.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { type CountParts, readCount, TargetCounts } from './targetCounts.ts';

const parts: CountParts = {
  way: {
    connect: () => Promise.reject(new Error('nothing is there')),
    secret: (value) => (typeof value === 'string' ? value : 'postgres://me:hidden@127.0.0.1:1/x'),
  },
  signal: new AbortController().signal,
  clean: (text) => text,
};
const parseCount = (how: object) => storedSchema.parse({ name: 'rows', step: 'upload', ...how });

/** Starts a server that sends these responses in order and then repeats the last one. */
async function startCountServer(...responses: string[]): Promise<string> {
  let requestCount = 0;
  const server = createServer((_request, response) => {
    response.end(responses[Math.min(requestCount, responses.length - 1)]);
    requestCount += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return `http://127.0.0.1:${address.port}/`;
}

/** Returns items of one person, all acknowledged. */
function listItems(markers: readonly string[]): { marker: string; person: number; isAcknowledged: boolean }[] {
  return markers.map((marker) => ({ marker, person: 0, isAcknowledged: true }));
}

describe('the counts at a target', () => {
  it("are read from an address, or from the last line of a command's output", async () => {
    expect(await readCount(parseCount({ url: await startCountServer('{"rows": 17}'), path: '$.rows' }), parts)).toBe(17);
    expect(await readCount(parseCount({ command: 'echo counted; echo 42' }), parts)).toBe(42);
  });

  it.each([
    [
      'a response without the value',
      async () => parseCount({ url: await startCountServer('{"files": 1}'), path: '$.rows' }),
      'without a number at $.rows',
    ],
    ['an address without a server', async () => parseCount({ url: 'http://127.0.0.1:1/' }), 'does not respond'],
    ['a command that fails', async () => parseCount({ command: 'echo no such table; exit 3' }), 'ended with code 3. no such table'],
    ['a command that prints no number', async () => parseCount({ command: 'echo many' }), 'is not a number'],
  ])('report a problem: %s', async (_what, make, message) => {
    await expect(readCount(await make(), parts)).rejects.toMatchObject({
      code: 'STORED_UNREADABLE',
      message: expect.stringContaining(message),
    });
  });

  it('are the number of listed items if items have markers, and each acknowledged item is looked up in the list', async () => {
    const file = join(temporaryDirectory(), 'rows');
    await writeFile(file, 'old 1\nold 2\n');
    const url = await startCountServer('{"rows": []}', '{"rows": ["a", "b", "b", 7]}');
    const storedCounts = await TargetCounts.open(
      [parseCount({ command: `cat ${file}`, marker: '{{id}}' }), parseCount({ url, path: '$.rows', marker: '{{id}}' })],
      parts,
    );
    for (const place of [0, 1]) storedCounts.expect(place, listItems(['a', 'b', '7', 'gone']));
    await writeFile(file, 'old 1\nold 2\na\nb\n7\ngone\n');
    expect(await storedCounts.waitForCounts(0)).toMatchObject([
      { before: 2, after: 6, items: { compared: 4, missing: 0, repeated: 0 } },
      { before: 0, after: 4, items: { compared: 4, missing: 1, repeated: 1 } },
    ]);
    await expect(
      readCount(parseCount({ url: await startCountServer('{"rows": 4}'), path: '$.rows', marker: '{{id}}' }), parts),
    ).rejects.toThrow('without a list at $.rows');
  });

  it('compare items with the same marker by how often each occurs', async () => {
    const storedCounts = await TargetCounts.open([parseCount({ url: await startCountServer('["a", "a"]'), marker: '{{id}}' })], parts);
    storedCounts.expect(0, listItems(['a', 'a', 'b', 'b']));
    expect(await storedCounts.waitForCounts(0)).toMatchObject([{ items: { compared: 4, missing: 2, repeated: 0 } }]);
  });

  it('are compared for each person, including items that were stored without acknowledgement', async () => {
    const ofPeople = { ...parts, isOfPeople: true };
    const storedCounts = await TargetCounts.open(
      [parseCount({ url: await startCountServer('[]', '["a", "c"]'), marker: '{{id}}' })],
      ofPeople,
    );
    storedCounts.expect(0, [
      { marker: 'a', person: 3, isAcknowledged: false },
      { marker: 'a', person: 3, isAcknowledged: true },
      { marker: 'b', person: 4, isAcknowledged: true },
      { marker: 'c', person: 5, isAcknowledged: false },
      { marker: 'd', person: 6, isAcknowledged: false },
    ]);
    const people = [
      { person: 4, missing: 1, unacknowledged: 0 },
      { person: 5, missing: 0, unacknowledged: 1 },
    ];
    expect(await storedCounts.waitForCounts(0)).toMatchObject([
      { items: { compared: 2, missing: 1, repeated: 0, unacknowledged: 1, people } },
    ]);
  });

  it('never show the password of a database', async () => {
    const asked = readCount(parseCount({ sql: 'select 1', connection: { secret: 'env:DB' } }), parts);
    await expect(asked).rejects.toThrow(/PostgreSQL/);
    await expect(asked).rejects.not.toThrow(/hidden/);
  });

  it('are read before the load, and after it until they are stable', async () => {
    const file = join(temporaryDirectory(), 'count');
    await writeFile(file, '100');
    const storedCounts = await TargetCounts.open(
      [parseCount({ command: `cat ${file}` }), parseCount({ url: await startCountServer('5', '8', '9', '9', '9', '9') })],
      parts,
    );
    await writeFile(file, '115');
    expect(await storedCounts.waitForCounts(0)).toMatchObject([
      { before: 100, after: 115, stands: true, problem: null },
      { before: 5, after: 9, problem: null },
    ]);
    expect(await readFile(file, 'utf8')).toBe('115');
  });

  it('are watched as long as the slowest response took, so that late items are reported', async () => {
    const responses = ['2', '2', '2', '2', '6'];
    const quick = await TargetCounts.open([parseCount({ url: await startCountServer(...responses) })], parts);
    const slow = await TargetCounts.open([parseCount({ url: await startCountServer(...responses) })], parts);
    expect(await Promise.all([quick.waitForCounts(0), slow.waitForCounts(5_000)])).toMatchObject([
      [{ before: 2, after: 2, stands: true }],
      [{ before: 2, after: 6, stands: true }],
    ]);
  });

  it('are read until there is no more unfinished work than before the load', async () => {
    const how = { counts: 'unfinished', url: await startCountServer('2', '40', '40', '40', '40', '2') };
    const waitingCounts = await TargetCounts.open([parseCount(how)], parts);
    expect(await waitingCounts.waitForCounts(0)).toMatchObject([
      { before: 2, after: 2, stands: true, unfinished: { atEnd: 40, seconds: 4 } },
    ]);
  });

  it('report that they were not stable if the wait was ended early', async () => {
    const storedCounts = await TargetCounts.open([parseCount({ url: await startCountServer('2', '3') })], parts);
    storedCounts.end();
    expect(await storedCounts.waitForCounts(0)).toMatchObject([{ before: 2, stands: false }]);
  });

  it('report a reading that failed, and end without waiting', async () => {
    const file = join(temporaryDirectory(), 'count');
    await writeFile(file, '1');
    const storedCounts = await TargetCounts.open([parseCount({ command: `cat ${file}` })], parts);
    await writeFile(file, 'gone');
    const [reported] = await storedCounts.waitForCounts(0);
    expect(reported).toMatchObject({ after: null, problem: expect.stringContaining('is not a number') });
    await writeFile(file, '1');
    storedCounts.end();
    expect(await storedCounts.waitForCounts(0)).toMatchObject([{ before: 1 }]);
  });
});
