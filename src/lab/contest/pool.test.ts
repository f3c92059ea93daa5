import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConnectionPool, PoolExhausted } from './pool.ts';

function poolOf(size: number, overflow: number, waitMs = 50, limit = Infinity) {
  const open = new Set<number>();
  let opened = 0;
  const pool = new ConnectionPool<number>({
    size,
    overflow,
    waitMs,
    open: async () => {
      if (open.size >= limit) throw new Error('too many clients already');
      const connection = (opened += 1);
      open.add(connection);
      await sleep(1);
      return connection;
    },
    close: (connection) => Promise.resolve(void open.delete(connection)),
  });
  return { pool, open, opened: () => opened };
}

it('opens at most size plus overflow connections, and keeps its size', async () => {
  const { pool, open } = poolOf(2, 3);
  const taken = await Promise.all([1, 2, 3, 4, 5].map(() => pool.take()));
  expect(open.size).toBe(5);
  await expect(pool.take()).rejects.toThrow(PoolExhausted);
  for (const connection of taken) await pool.giveBack(connection);
  expect(open.size).toBe(2);
  expect(open).toContain(await pool.take());
  await pool.close();
});

it('gives a connection to the longest waiting request', async () => {
  const { pool, opened } = poolOf(1, 0, 5_000);
  const first = await pool.take();
  const order: string[] = [];
  const waiting = ['a', 'b'].map(async (name) => {
    const connection = await pool.take();
    order.push(name);
    await pool.giveBack(connection);
  });
  await pool.giveBack(first);
  await Promise.all(waiting);
  expect([order, opened()]).toEqual([['a', 'b'], 1]);
  await pool.close();
});

it('continues after a connection broke or could not be opened', async () => {
  const { pool, open } = poolOf(1, 1, 5_000, 1);
  const first = await pool.take();
  await expect(pool.take()).rejects.toThrow('too many clients');
  const second = poolOf(1, 0, 5_000);
  const broken = await second.pool.take();
  const next = second.pool.take();
  await second.pool.discard(broken);
  expect(await next).toBe(2);
  await pool.giveBack(first);
  expect(open.size).toBe(1);
});

it('rejects waiting requests when it is closed, and closes returned connections', async () => {
  const { pool, open } = poolOf(1, 0, 5_000);
  const only = await pool.take();
  const waiting = pool.take();
  await Promise.all([pool.close(), expect(waiting).rejects.toThrow('closed')]);
  await pool.giveBack(only);
  expect(open.size).toBe(0);
});
