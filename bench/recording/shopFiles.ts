/** A GIF of one transparent pixel. */
export const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A font without glyphs. Browsers request it like any other font. */
export const FONT = Buffer.from('wOF2');

export const STYLES = `@font-face { font-family: Letters; src: url(/assets/letters.woff2) format('woff2'); }
body { font: 16px Letters, sans-serif; background: url(data:image/gif;base64,${PIXEL.toString('base64')}); }
`;

/** The script of the pages. It uses an API with tokens, as single-page apps do. */
export const API_SCRIPT = `const shop = {
  token: '',
  async ask(method, path, value) {
    const answer = await fetch(path, {
      method,
      headers: {
        ...(shop.token === '' ? {} : { Authorization: 'Bearer ' + shop.token }),
        ...(value === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(value === undefined ? {} : { body: JSON.stringify(value) }),
    });
    return answer.status === 204 ? null : answer.json();
  },
  async logIn(username, password) {
    const { token } = await shop.ask('POST', '/api/login', { username, password });
    shop.token = token ?? '';
  },
};
`;

/** The service worker. It forwards requests for pages to the server, and serves the offline page from its cache. */
export const SERVICE_WORKER = `addEventListener('install', (event) => {
  event.waitUntil(caches.open('kept').then((kept) => kept.addAll(['/offline', '/assets/shop.css'])).then(() => skipWaiting()));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  event.respondWith(pathname === '/offline' ? caches.match('/offline') : fetch(event.request));
});
`;

function page(title: string, main: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<link rel="stylesheet" href="/assets/shop.css">
<script src="/assets/api.js"></script>
</head>
<body>
<h1>${title}</h1>
${main}
</body>
</html>
`;
}

/** Returns a page with third-party content: a tracking pixel and a shared script. */
export function homePage(apiPort: number): string {
  return page(
    'Practice shop',
    `<img src="/assets/logo.gif" alt=""><img src="http://localhost:${apiPort}/pixel.gif?page=home" alt="">
<script src="http://localhost:${apiPort}/widget.js"></script>
<p><a href="/account">Your account</a> <a href="/old">An old address</a></p>`,
  );
}

export function accountPage(): string {
  return page('Your account', '<p id="state">Not logged in</p><p><a href="/">Back</a></p>');
}

export function offlinePage(): string {
  return page('Without a connection', '<p>Kept for when there is none.</p>');
}
