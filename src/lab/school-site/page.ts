import { escapeHtml } from '../web/html.ts';

export interface PageParts {
  readonly title: string;
  readonly links: readonly string[];
  readonly images: readonly string[];
  /** HTML that shows the name of the user, or the instruction that inserts the name. */
  readonly toolbar: string;
  /** HTML of the page's content. */
  readonly main: string;
}

/** Returns a page of the school site. */
export function schoolPage({ title, links, images, toolbar, main }: PageParts): string {
  const head = links.map((path) =>
    path.endsWith('.css') ? `<link rel="stylesheet" href="${path}">` : `<script src="${path}" defer></script>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
${head.join('\n')}
</head>
<body>
<header><h1>Practice school</h1>
${toolbar}</header>
<main>
${main}
${images.map((path) => `<img src="${path}" alt="" width="40" height="40">`).join('\n')}
</main>
</body>
</html>
`;
}

/** Returns Plone's login form, with its fields and its CSRF token. */
export function loginForm(token: string, cameFrom: string): string {
  const hidden = {
    came_from: cameFrom,
    next: '',
    ajax_load: '',
    ajax_include_head: '',
    target: '',
    mail_password_url: '',
    join_url: '',
    'form.submitted': '1',
    js_enabled: '0',
    cookies_enabled: '',
    login_name: '',
    pwd_empty: '0',
    _authenticator: token,
  };
  const fields = Object.entries(hidden).map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`);
  return `<form action="/login_form" method="POST">
${fields.join('\n')}
<label>User name <input type="text" name="__ac_name" autocomplete="username"></label>
<label>Password <input type="password" name="__ac_password" autocomplete="current-password"></label>
<input type="submit" name="submit" value="Sign in">
</form>`;
}

export function toolbarHtml(username: string | null): string {
  return username === null ? '<p><a href="/login">Log in</a></p>' : `<p>Logged in as <strong>${escapeHtml(username)}</strong></p>`;
}
