/** The page of the scoreboard. It reads the lists once, then follows the events that have occurred since. */
export const SCOREBOARD_PAGE = `<!DOCTYPE html>
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

export const LOGO =
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
export const SCOREBOARD_FILES: ReadonlyMap<string, { readonly type: string; readonly content: string }> = new Map([
  ['Ranking.css', { type: 'text/css', content: STYLE }],
  ['Ranking.js', { type: 'text/javascript', content: SCRIPT }],
]);
