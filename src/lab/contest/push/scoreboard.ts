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

/** The page of the scoreboard. It reads the lists once, then follows the events that have occurred since. */
const SCOREBOARD_PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scoreboard of the practice contest</title>
<link rel="icon" href="logo">
<link rel="stylesheet" href="Ranking.css">
<script src="Ranking.js" defer></script>
</head>
<body>
<header><img src="logo" alt="" width="32" height="32"><h1>Practice contest: scoreboard</h1></header>
<p id="status" role="status">Loading …</p>
<div class="scroll" role="region" aria-label="Scores" tabindex="0">
<table>
<thead><tr id="head"><th scope="col">Rank</th><th scope="col">Contestant</th></tr></thead>
<tbody id="rows"></tbody>
</table>
</div>
</body>
</html>
`;

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 15V9h4v6zm5 0V3h4v12zm5 0V6h4v9z" fill="#1f6f8b"/></svg>\n';

const STYLE = `:root { color-scheme: light dark; --line: light-dark(#c4ccd2, #49545c); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
header { align-items: center; display: flex; gap: 0.75rem; }
h1 { font-size: 1.4rem; margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.75rem; text-align: right; }
th:nth-child(2), td:nth-child(2) { text-align: left; }
tr.changed { background: light-dark(#fff2c2, #4a3f12); }
`;

const SCRIPT = `const SHOWN = 200;
const lists = {};
let scores = {};
let lastEvent = null;
let drawing = false;

async function read(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(path + ' returned ' + response.status);
  const id = response.headers.get('X-Last-Event-Id');
  if (id !== null) lastEvent = lastEvent === null ? Number(id) : Math.min(lastEvent, Number(id));
  return response.json();
}

function say(text) {
  document.getElementById('status').textContent = text;
}

function cell(row, text) {
  row.append(Object.assign(document.createElement('td'), { textContent: text }));
}

function draw(changed) {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    const tasks = Object.keys(lists.tasks).sort((a, b) => lists.tasks[a].order - lists.tasks[b].order);
    const sum = (user) => tasks.reduce((total, task) => total + (scores[user]?.[task] ?? 0), 0);
    const users = Object.keys(lists.users).map((user) => [user, sum(user)]).sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
    const head = document.getElementById('head');
    while (head.children.length > 2) head.lastChild.remove();
    for (const name of [...tasks.map((task) => lists.tasks[task].name), 'Total'])
      head.append(Object.assign(document.createElement('th'), { scope: 'col', textContent: name }));
    document.getElementById('rows').replaceChildren(
      ...users.map(([user, total], index) => {
        const row = document.createElement('tr');
        if (user === changed) row.className = 'changed';
        for (const text of [index + 1, lists.users[user].l_name, ...tasks.map((task) => scores[user]?.[task] ?? ''), total]) cell(row, text);
        return row;
      }),
    );
  });
}

function follow() {
  const source = new EventSource('events?last_event_id=' + lastEvent);
  source.addEventListener('open', () => say('Connected. Scores appear when they change.'));
  source.addEventListener('error', () => {
    say('Disconnected. The browser is connecting again.');
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 5000);
  });
  source.addEventListener('reload', () => {
    source.close();
    say('Some scores were missed. Reload the page.');
  });
  source.addEventListener('user', (event) => {
    lastEvent = Number(event.lastEventId);
    const { key } = JSON.parse(event.data);
    lists.users[key] ??= { l_name: key };
    draw(key);
  });
  source.addEventListener('score', (event) => {
    lastEvent = Number(event.lastEventId);
    const { user, task, score } = JSON.parse(event.data);
    (scores[user] ??= {})[task] = score;
    draw(user);
  });
}

async function start() {
  for (const name of ['contests', 'tasks', 'teams', 'users']) lists[name] = await read(name + '/');
  scores = await read('scores');
  draw();
  follow();
}
start().catch((problem) => say('The scoreboard cannot be loaded: ' + problem.message + '. Reload the page.'));
`;

/** The files of the page, with their names in CMS. */
const SCOREBOARD_FILES: ReadonlyMap<string, { readonly type: string; readonly content: string }> = new Map([
  ['Ranking.css', { type: 'text/css', content: STYLE }],
  ['Ranking.js', { type: 'text/javascript', content: SCRIPT }],
]);
