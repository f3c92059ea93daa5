import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { getOwn } from '#core/base/ownMembers.ts';
import { valuesSchema } from '#lab/lab.ts';
import { JsonLog } from '#lab/logFile.ts';
import { type StreamLog } from '#lab/streamLog.ts';
import type { Part } from '#lab/supervisor/part.ts';
import { startWebServer } from '#lab/web/server.ts';
import { TASKS } from '../tasks.ts';
import { options } from '../options.ts';
import { LOGO, SCOREBOARD_FILES, SCOREBOARD_PAGE } from './page.ts';
import { type Scoring, scoringSchema, Scores } from './scores.ts';
import { EventStreams, MAX_UNSENT_BYTES } from './streams.ts';

const settingsSchema = z.object({
  log: z.string(),
  streamLog: z.string(),
  port: z.int().nullable(),
  /** Password for submitting scores. */
  password: z.string(),
  users: z.array(z.string()),
  values: valuesSchema(options),
});
type Settings = z.infer<typeof settingsSchema>;

/** Path of the scoreboard. It corresponds to the prefix below which the nginx configuration of CMS puts its ranking. */
export const SCOREBOARD_PATH = '/scoreboard';
export const SCOREBOARD_USER = 'scoreboard';

const CONTEST = 'practice';
const CONTEST_SECONDS = 5 * 3_600;
const TEAMS = ['north', 'east', 'south', 'west'];
const MAX_USERS = 20_000;
const MAX_SUBMISSIONS = 1_000;

interface User {
  readonly f_name: string;
  readonly l_name: string;
  readonly team: string;
}

/** Starts the scoreboard in a separate process, like CMS's RankingWebServer: pages, JSON, and an event stream for all listeners. */
export async function startScoreboard(input: unknown): Promise<Part> {
  const settings = settingsSchema.parse(input);
  const log: StreamLog = await JsonLog.open(settings.streamLog);
  const { values } = settings;
  const streams = new EventStreams(values, log);
  const users = new Map(settings.users.map((name) => [name, userOf(name)]));
  const scores = new Scores();

  const addScore = (scoring: Scoring): void => {
    if (!users.has(scoring.user) && users.size < MAX_USERS) {
      users.set(scoring.user, userOf(scoring.user));
      streams.publish('user', scoring.atMs, { action: 'create', key: scoring.user });
    }
    const { id: submission, user, task, atMs } = scoring;
    streams.publish('score', atMs, { user, task, score: scores.add(scoring), submission });
  };
  const making = values['events-per-second'] === null ? null : makeScores(values['events-per-second'], settings.users, addScore);

  const part = await startWebServer(
    { name: 'scoreboard', log: settings.log, faults: values, port: settings.port, http: { highWaterMark: MAX_UNSENT_BYTES } },
    (app) => {
      addRoutes(app, settings, { streams, users, scores, score: addScore });
      return {
        commands: {
          state: () => streams.state,
          cut: () => ({ cut: streams.cutAll('cut') }),
          restart: () => ({ cut: streams.cutAll('restart') }),
        },
      };
    },
  );
  return {
    ...part,
    async close() {
      clearInterval(making ?? undefined);
      await streams.close();
      await part.close();
      await log.close();
    },
  };
}

interface Board {
  readonly streams: EventStreams;
  readonly users: ReadonlyMap<string, User>;
  readonly scores: Scores;
  readonly score: (scoring: Scoring) => void;
}

function addRoutes(app: Express, settings: Settings, { streams, users, scores, score }: Board): void {
  const begin = Math.floor(Date.now() / 1_000);
  const contests = { [CONTEST]: { name: 'Practice contest', begin, end: begin + CONTEST_SECONDS, score_precision: 0 } };
  const tasks = Object.fromEntries(
    TASKS.map(({ name, title }, order) => [
      name,
      { name: title, short_name: name, contest: CONTEST, max_score: 100, score_precision: 0, extra_headers: [], order, score_mode: 'max' },
    ]),
  );
  const teams = Object.fromEntries(TEAMS.map((name) => [name, { name: `${name.charAt(0).toUpperCase()}${name.slice(1)}` }]));
  /** Adds the number of the event after which the page continues with the stream. */
  const addEventHeaders: RequestHandler = (_request, response, next) => {
    response.set({ Timestamp: (Date.now() / 1_000).toFixed(6), 'X-Last-Event-Id': String(streams.newest) });
    next();
  };
  /** Responds with an error to clients that do not accept JSON, as CMS does. */
  const requireJson: RequestHandler = ({ headers }, response, next) => {
    if (/application\/json|application\/\*|\*\/\*/i.test(headers.accept ?? '')) next();
    else response.status(500).type('text').send('Internal Server Error');
  };
  const board = express.Router({ strict: true });
  board.get('/', (_request, response) => void response.type('html').send(SCOREBOARD_PAGE));
  for (const [name, { type, content }] of SCOREBOARD_FILES)
    board.get(`/${name}`, (_request, response) => void response.type(type).set('Cache-Control', 'public, max-age=3600').send(content));
  board.get('/logo', (_request, response) => void response.type('image/svg+xml').send(LOGO));
  board.get('/config', (_request, response) => void response.json({ show_id_column: false }));
  board.get('/events', streams.handler);
  board.get('/scores', requireJson, addEventHeaders, (_request, response) => void response.json(scores.scores));
  board.get('/history', requireJson, (_request, response) => void response.json(scores.history));
  board.get('/sublist/:user', (request, response) => void response.json(scores.listSubmissions(request.params.user)));
  board.put('/subchanges/', ...acceptScores(settings.password, score));
  const lists: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
    contests: () => contests,
    tasks: () => tasks,
    teams: () => teams,
    users: () => Object.fromEntries(users),
    submissions: () => scores.submissions,
    subchanges: () => scores.subchanges,
  };
  for (const [name, read] of Object.entries(lists)) board.use(`/${name}`, addEventHeaders, serveList(read));
  app.use(SCOREBOARD_PATH, board);
  app.use((_request, response) => void response.status(404).type('text/plain').send('The scoreboard has no such page.'));
}

/** Serves a list by key, with each entry at its own path. */
function serveList(read: () => Readonly<Record<string, unknown>>): Router {
  const router = express.Router();
  router.get('/', (_request, response) => void response.json(read()));
  router.get('/:key', (request, response, next) => {
    const found = getOwn(read(), request.params.key);
    if (found === undefined) return next();
    response.json(found);
  });
  return router;
}

/** Accepts scores like CMS: by PUT with a password. */
function acceptScores(password: string, score: (scoring: Scoring) => void): RequestHandler[] {
  const expected = `Basic ${Buffer.from(`${SCOREBOARD_USER}:${password}`).toString('base64')}`;
  const given = z.array(scoringSchema).max(MAX_SUBMISSIONS);
  return [
    (request: Request, response: Response, next) => {
      if (request.get('authorization') === expected) return next();
      response.status(401).set('WWW-Authenticate', 'Basic realm="Scoreboard"').end();
    },
    express.json({ limit: '2mb' }),
    (request: Request, response: Response) => {
      const read = given.safeParse(request.body);
      if (!read.success) return void response.status(400).type('text/plain').send('These are no scores.');
      for (const scoring of read.data) score(scoring);
      response.status(204).end();
    },
  ];
}

function userOf(name: string): User {
  const number = Number(/\d+$/.exec(name)?.[0] ?? 0);
  return { f_name: 'Contestant', l_name: name, team: TEAMS[number % TEAMS.length] ?? '' };
}

const MAX_TICK_MS = 100;

/** Generates scores at this rate from now on. If that falls behind, at most one second's worth of scores is made up at a time. */
function makeScores(perSecond: number, users: readonly string[], score: (scoring: Scoring) => void): NodeJS.Timeout {
  const startedMs = performance.now();
  let made = 0;
  const makeScore = (number: number): void => {
    const user = users[number % users.length] ?? '';
    const task = TASKS[Math.floor(number / users.length) % TASKS.length]?.name ?? '';
    const atMs = Date.now();
    score({ id: `made${number}`, user, task, score: (number * 7) % 101, submittedAtMs: atMs, atMs });
  };
  const makeDueScores = (): void => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * perSecond);
    const last = Math.min(due, made + Math.ceil(perSecond));
    for (let number = made + 1; number <= last; number += 1) makeScore(number);
    made = last;
  };
  return setInterval(makeDueScores, Math.min(1_000 / perSecond / 2, MAX_TICK_MS));
}
