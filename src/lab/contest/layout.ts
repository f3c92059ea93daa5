import { escapeHtml } from '../web/html.ts';

export interface Frame {
  readonly title: string;
  /** Null when nobody is logged in. */
  readonly username: string | null;
  readonly xsrf: string;
  /** The server's clock as it is printed into the page. */
  readonly timestamp: string;
  readonly taskNames: readonly string[];
}

const SECTIONS = [
  ['description', 'Statement'],
  ['submissions', 'Submissions'],
] as const;

/** The frame that every page of the contest shares. `main` is HTML. */
export function layout(frame: Frame, main: string): string {
  const { title, username, xsrf, timestamp, taskNames } = frame;
  const tasks = taskNames.map(
    (name) =>
      `<li class="nav-header">${name}</li>\n${SECTIONS.map(([path, label]) => `<li><a href="/tasks/${name}/${path}">${label}</a></li>`).join('\n')}`,
  );
  const navigation =
    username === null
      ? ''
      : `<nav>
<ul>
<li><a href="/">Overview</a></li>
<li><a href="/communication">Communication</a></li>
${tasks.join('\n')}
</ul>
<form action="/logout" method="POST"><input type="hidden" name="_xsrf" value="${xsrf}"><button>Log out</button></form>
</nav>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/static/css/contest.css">
<script src="/static/js/contest.js" defer></script>
<script>var serverTimestamp = ${timestamp};</script>
</head>
<body>
<header><h1>Practice contest</h1>${username === null ? '' : `<p>Logged in as <strong>${escapeHtml(username)}</strong></p>`}</header>
${navigation}
<main>
${main}
</main>
</body>
</html>
`;
}
