import { escapeHtml } from '../web/html.ts';

/**
 * Returns seconds since 1970 as Python 2 prints a float: 12 significant digits, which currently means two decimals, without trailing zeros.
 * In 10 % of responses the last digit is a zero, so the page is one byte shorter; ApacheBench reports these as “length” failures.
 * `epochMs`: milliseconds since 1970.
 */
export function pythonTimestamp(epochMs: number): string {
  const hundredths = Math.round(epochMs / 10);
  const seconds = Math.floor(hundredths / 100);
  const decimals = String(hundredths % 100).padStart(2, '0');
  return `${seconds}.${decimals.endsWith('0') ? decimals.slice(0, 1) : decimals}`;
}

/** Length of a timestamp whose last digit is not zero. */
export const FULL_TIMESTAMP_LENGTH = 13;

export interface Frame {
  readonly title: string;
  /** Name of the user; null if nobody is logged in. */
  readonly username: string | null;
  readonly xsrf: string;
  /** The server's clock as printed on the page. */
  readonly timestamp: string;
  readonly taskNames: readonly string[];
}

const SECTIONS = [
  ['description', 'Statement'],
  ['submissions', 'Submissions'],
] as const;

/** Returns a page of the contest: the HTML in `main`, within the frame that all pages share. */
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
