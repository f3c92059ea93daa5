import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { runOnWorker } from '../accessLog.ts';
import type { Breaks } from '../breaks.ts';
import { valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { escapeHtml, readForm, textField } from '../web/html.ts';
import { startWebServer } from '../web/server.ts';
import { readCookies, tokenFor, xsrfMatches } from '../web/session.ts';
import { QueueFull, WorkerPool } from '../workerPool.ts';
import { options, type Values } from './options.ts';
import { type Rows, rowsInDatabase, rowsInMemory } from './rows.ts';

const TOKEN_COOKIE = 'csrftoken';
const TICKET_COOKIE = 'ticket';
export const LIST_PATH = '/registrations.json';
/** Maximum number of people in the waiting room, and of client addresses, that are remembered. */
const MAX_REMEMBERED = 100_000;
const REFUSALS = {
  closed: 'Registration is closed.',
  spent: 'This person may not register again.',
  tooFrequent: 'Too many forms in a minute. Wait a moment.',
} as const;

const settingsSchema = z.object({
  log: z.string(),
  port: z.int().nullable(),
  database: z.string().nullable(),
  values: valuesSchema(options),
});

/**
 * Starts a server on which people register for a limited number of places. It has a form with a token, and a page that shows whether the
 * person has got a place.
 */
export async function startRegistration(input: unknown): Promise<Part> {
  const { log, port, database, values } = settingsSchema.parse(input);
  const rows = database === null ? rowsInMemory(values) : await rowsInDatabase(database, values);
  return startWebServer({ name: 'registration', log, port, faults: values }, (app, breaks) => {
    addRoutes(app, breaks, values, rows);
    return {
      commands: {
        gauges: async () => ({ registered: await rows.count(), 'people registered': new Set(await rows.listPeople()).size }),
        forget: () => rows.clear(),
      },
      close: () => rows.close(),
    };
  });
}

function addRoutes(app: Express, breaks: Breaks, values: Values, rows: Rows): void {
  const workers = new WorkerPool(values.workers, values.backlog ?? Infinity);
  let forms = 0;
  app.get(LIST_PATH, async (_request, response) => {
    const people = await rows.listPeople();
    response.json({ places: values.places, registered: people.length, people });
  });
  app.use(limitAddresses(values['address-limit']), waitingRoom(values['admits-per-second']), async (_request, response, next) => {
    try {
      await runOnWorker(workers, response, () => sleep(values['service-ms']));
      next();
    } catch (failure) {
      if (!(failure instanceof QueueFull)) throw failure;
      response.status(502).type('text/plain').send('Bad Gateway');
    }
  });
  app.get('/', (request, response) => show(response, 'Registration', formFor(request, response, '')));
  app.post('/', async (request, response) => {
    const form = await readForm(request);
    const person = { name: textField(form, 'name').trim(), email: textField(form, 'email').trim() };
    if (!xsrfMatches(readCookies(request).get(TOKEN_COOKIE), form?.get('csrf'), undefined))
      return void response.status(403).type('text/plain').send('The form is out of date. Load the page again.');
    const refusal = breaks.refusal(request);
    if (refusal !== null) return show(response, 'Registration', `<p role="alert">${REFUSALS[refusal]}</p>`);
    if (person.name === '' || !person.email.includes('@'))
      return show(response, 'Registration', formFor(request, response, 'Enter a name and an e-mail address.'));
    if (values['shuffle-ms'] > 0) await sleep(randomInt(values['shuffle-ms'] + 1));
    const place = breaks.isBroken('swallow', request) ? 1 : await rows.register(person);
    forms += 1;
    const lost = values['lose-response-one-in'];
    if (place !== null && lost !== null && forms % lost === 0) return void request.socket.destroy();
    if (place === null) show(response, 'Full', `<p>Sorry, ${escapeHtml(person.name)}: all places are taken.</p>`);
    else show(response, 'Registered', `<p>You are in, ${escapeHtml(person.name)}. Your number is ${place}.</p>`);
  });
}

function formFor(request: Request, response: Response, problem: string): string {
  const token = tokenFor(request, response, TOKEN_COOKIE);
  return `<h1>Summer camp</h1>${problem === '' ? '' : `<p role="alert">${problem}</p>`}
<form method="post" action="/"><input type="hidden" name="csrf" value="${token}">
<label>Name <input type="text" name="name" required></label>
<label>E-mail address <input type="email" name="email" required></label>
<button>Register</button></form>`;
}

function show(response: Response, title: string, main: string): void {
  response
    .type('text/html')
    .set('Cache-Control', 'no-store')
    .send(`<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body>${main}</body></html>\n`);
}

/** Returns a handler that responds with 429 to requests from one address beyond `perSecond` in a second. */
function limitAddresses(perSecond: number | null): RequestHandler {
  if (perSecond === null) return (_request, _response, next) => next();
  let second = 0;
  let counts = new Map<string, number>();
  return (request, response, next) => {
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second || counts.size > MAX_REMEMBERED) [second, counts] = [now, new Map()];
    const address = request.socket.remoteAddress ?? '';
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    if (count <= perSecond) return next();
    response.status(429).set('Retry-After', '1').type('text/plain').send('Too many requests from your address.');
  };
}

/** Returns a handler that admits people in the order of their first request. Others see their position in the queue. */
function waitingRoom(perSecond: number | null): RequestHandler {
  if (perSecond === null) return (_request, _response, next) => next();
  const admittedAtMs = new Map<string, number>();
  let lastMs = 0;
  let tickets = 0;
  return (request, response, next) => {
    const nowMs = Date.now();
    let ticket = readCookies(request).get(TICKET_COOKIE);
    if (ticket === undefined || !admittedAtMs.has(ticket)) {
      if (admittedAtMs.size >= MAX_REMEMBERED) admittedAtMs.clear();
      ticket = `${(tickets += 1)}-${randomInt(2 ** 47)}`;
      lastMs = Math.max(nowMs, lastMs + 1_000 / perSecond);
      admittedAtMs.set(ticket, lastMs);
      response.cookie(TICKET_COOKIE, ticket, { path: '/', httpOnly: true });
    }
    const waitsMs = (admittedAtMs.get(ticket) ?? 0) - nowMs;
    if (waitsMs <= 0) return next();
    request.resume();
    const position = Math.ceil((waitsMs * perSecond) / 1_000);
    show(response, 'Queue', `<meta http-equiv="refresh" content="1"><p>You are in the queue, at position ${position}.</p>`);
  };
}
