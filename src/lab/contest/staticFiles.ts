import express, { type Router } from 'express';

const FILES: ReadonlyMap<string, { readonly type: string; readonly content: string }> = new Map([
  [
    '/css/contest.css',
    {
      type: 'text/css',
      content: `body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0; }
nav .nav-header { font-weight: 600; }
table { border-collapse: collapse; }
th, td { border: 1px solid #b8c0c8; padding: 0.25rem 0.75rem; text-align: left; }
.error { color: #a01020; }
`,
    },
  ],
  [
    '/js/contest.js',
    {
      type: 'text/javascript',
      content: `let lastNotification = 0;
setInterval(async () => {
  const answer = await fetch('/notifications?last_notification=' + lastNotification);
  if (!answer.ok) return;
  for (const notification of await answer.json()) {
    lastNotification = Math.max(lastNotification, notification.timestamp);
    document.querySelector('main').prepend(notification.subject + ': ' + notification.text);
  }
}, 30000);
`,
    },
  ],
]);

const CACHE_SECONDS = 3_600;

/** The style sheet and the script of the pages: small, cacheable, the same for everybody. */
export function staticFiles(): Router {
  const router = express.Router();
  router.get('/{*path}', (request, response, next) => {
    const file = FILES.get(request.path);
    if (!file) return next();
    response.type(file.type).set('Cache-Control', `public, max-age=${CACHE_SECONDS}`).send(file.content);
  });
  return router;
}
