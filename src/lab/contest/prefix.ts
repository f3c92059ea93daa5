import type { RequestHandler } from 'express';

/**
 * Puts a contest below a prefix, as a CMS that serves several: its start page is the prefix without a slash at its end, with one there is nothing, and every
 * link is seen from the page on which it stands. Style sheets stay at the root.
 */
export function belowPrefix(prefix: string): RequestHandler {
  return (request, response, next) => {
    const [path = '', query] = request.url.split('?', 2);
    if (path.startsWith('/static/')) return next();
    const isStart = path === prefix;
    if (!isStart && !(path.startsWith(`${prefix}/`) && path.length > prefix.length + 1))
      return void response.status(404).send('There is no such contest.');
    const root = '../'.repeat(path.split('/').length - 2) || './';
    const send = response.send.bind(response);
    const redirect = response.redirect.bind(response);
    response.send = (body) => send(typeof body === 'string' ? withLinks(body, root, prefix) : body);
    response.redirect = (...to: [string | number, string?]) => redirect(`${root}${linkTo(String(to.at(-1)), prefix)}`);
    request.url = `${isStart ? '/' : path.slice(prefix.length)}${query === undefined ? '' : `?${query}`}`;
    next();
  };
}

function withLinks(page: string, root: string, prefix: string): string {
  return page.replaceAll(/(href|action|src)="(\/[^"]*)"/g, (_, name: string, path: string) => `${name}="${root}${linkTo(path, prefix)}"`);
}

/** Without the slash that it begins with. */
function linkTo(path: string, prefix: string): string {
  if (path.startsWith('/static/')) return path.slice(1);
  return `${prefix}${/^\/(\?|$)/.test(path) ? path.slice(1) : path}`.slice(1);
}
