import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { RunningLab } from '../lab.ts';
import { findPostgresql } from '../programs/postgresql.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { Visitor } from '../testing/visitor.ts';
import { registrationLab } from './lab.ts';

const listSchema = z.object({ places: z.int(), registered: z.int(), people: z.array(z.string()) });
const postgresql = await findPostgresql(process.env);
const startedLabs: RunningLab[] = [];

async function start(options: GivenOptions): Promise<RunningLab> {
  const lab = await registrationLab.start({ 'service-ms': 0, ...options }, testSurroundings());
  startedLabs.push(lab);
  return lab;
}

function urlOf({ urls }: RunningLab): string {
  return urls[0] ?? '';
}

async function listRows(lab: RunningLab): Promise<z.infer<typeof listSchema>> {
  return listSchema.parse(await (await fetch(new URL('registrations.json', urlOf(lab)))).json());
}

/** Returns a person who has opened the form. */
async function personAt(lab: RunningLab): Promise<Visitor> {
  const visitor = new Visitor(urlOf(lab));
  await (await visitor.get('/')).text();
  return visitor;
}

async function register(visitor: Visitor, email: string): Promise<string> {
  const response = await visitor.post('/', { csrf: visitor.cookies.get('csrftoken') ?? '', name: email.split('@', 1)[0] ?? '', email });
  return response.text();
}

/** Sends the forms of all people at the same time. Returns how many got a place, and how many were refused because none was left. */
async function rush(lab: RunningLab, count: number): Promise<{ inside: number; full: number }> {
  const people = await Promise.all(Array.from({ length: count }, () => personAt(lab)));
  const pages = await Promise.all(people.map((person, index) => register(person, `p${index}@example.org`)));
  return {
    inside: pages.filter((page) => page.includes('You are in')).length,
    full: pages.filter((page) => page.includes('all places are taken')).length,
  };
}

afterEach(async () => {
  for (const lab of startedLabs.splice(0)) await lab.stop();
});

describe('the practice registration', () => {
  it('grants each place once without a race, and reports to everyone else with status 200 that no place is left', async () => {
    const lab = await start({ places: 7 });
    expect(await rush(lab, 20)).toEqual({ inside: 7, full: 13 });
    const { registered, people } = await listRows(lab);
    expect([registered, new Set(people).size]).toEqual([7, 7]);
    await fetch(`${lab.control}actions/forget`, { method: 'POST' });
    expect((await listRows(lab)).registered).toBe(0);
  });

  it('grants more places than there are if there is a race', async () => {
    const lab = await start({ places: 7, race: true, 'race-ms': 100 });
    const { inside, full } = await rush(lab, 20);
    expect([inside > 7, inside + full, (await listRows(lab)).registered]).toEqual([true, 20, inside]);
  });

  it('shows people their place again, or stores a second form if configured', async () => {
    for (const [option, rows] of [
      ['known', 1],
      ['stored', 2],
    ] as const) {
      const lab = await start({ 'second-form': option });
      const person = await personAt(lab);
      for (let time = 0; time < 2; time += 1) expect(await register(person, 'ada@example.org')).toContain('You are in');
      expect((await listRows(lab)).people).toHaveLength(rows);
    }
  });

  it('refuses a form without its token, and shows an incomplete form again', async () => {
    const lab = await start({});
    const person = await personAt(lab);
    expect((await person.post('/', { csrf: 'x', name: 'ada', email: 'ada@example.org' })).status).toBe(403);
    expect(await register(person, 'nobody')).toContain('Enter a name and an e-mail address.');
    expect((await listRows(lab)).registered).toBe(0);
  });

  it('limits requests from one address, fills its backlog, and lets people wait in the queue', async () => {
    const limitedLab = await start({ 'address-limit': 3 });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await new Visitor(urlOf(limitedLab)).get('/')).status));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(6);
    const small = await start({ workers: 1, backlog: 2, 'service-ms': 200 });
    const pages = await Promise.all(Array.from({ length: 6 }, async () => (await new Visitor(urlOf(small)).get('/')).status));
    expect(pages.toSorted()).toEqual([200, 200, 200, 502, 502, 502]);
    const slow = await start({ 'admits-per-second': 2 });
    const [first, second] = [new Visitor(urlOf(slow)), new Visitor(urlOf(slow))];
    expect(await (await first.get('/')).text()).toContain('<form');
    expect(await (await second.get('/')).text()).toContain('You are in the queue, at position 1');
    await expect.poll(async () => (await second.get('/')).text(), { timeout: 10_000 }).toContain('<form');
  });

  it('stores a form although its response is lost', async () => {
    const lab = await start({ 'lose-response-one-in': 2 });
    const [one, two] = [await personAt(lab), await personAt(lab)];
    await register(one, 'ada@example.org');
    await expect(register(two, 'bob@example.org')).rejects.toThrow(TypeError);
    expect((await listRows(lab)).people).toEqual(['ada@example.org', 'bob@example.org']);
  });

  it.skipIf(postgresql === null)('keeps its rows in PostgreSQL, with and without the race', async () => {
    for (const race of [false, true]) {
      const lab = await start({ places: 5, race, 'race-ms': 100, database: 'postgresql' });
      const { inside, full } = await rush(lab, 15);
      expect([inside > 5, inside + full]).toEqual([race, 15]);
      expect((await listRows(lab)).registered).toBe(inside);
    }
  });
});
