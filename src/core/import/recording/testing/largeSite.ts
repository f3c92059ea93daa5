import type { Plan } from '#core/plan/schema/plan.ts';
import type { Exchange, Walk } from '../walk.ts';
import { planOfSteps, recordedStep } from './site.ts';

const FORM = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

/** A journey through large pages of a shop. Each page has its own token, a session token, and links to hundreds of articles. */
export interface LargeSite {
  readonly plan: Plan;
  readonly recorded: Walk;
  walk(session: number): Walk;
}

/** Returns a site with `pages` pages of about `bytes` bytes each. Every fourth step submits the form of the page before it. */
export function largeSite(pages: number, bytes: number): LargeSite {
  const rows = Array.from({ length: Math.ceil(bytes / ROW_BYTES) }, (_, index) => index);
  const page = (index: number, session: number): string =>
    `<html><head><title>Shelf ${index}</title><meta name="csrf-token" content="${makeToken('session', session)}"></head><body>
<script src="/static/app.js?v=4f3c2b1a99"></script><script>window.state = {"build": "4f3c2b1a99", "page": ${index}, "nonce": "${makeToken('nonce', session, index)}"};</script>
<form action="/cart/add" method="post"><input type="hidden" name="csrf" value="${makeToken('session', session)}"><input type="hidden" name="ticket" value="${makeToken('ticket', session, index)}">
<input type="hidden" name="shelf" value="${index}"></form>
${rows.map((row) => rowOf(index, row)).join('\n')}
</body></html>`;
  const walk = (session: number): Walk =>
    Array.from({ length: pages }, (_, index) =>
      index % 4 === 3
        ? recordedStep(`step ${index}`, [
            {
              method: 'POST',
              url: '/cart/add',
              headers: [...FORM, ['X-Requested-By', 'shop-7f2e4d1c'], ['X-Session', makeToken('session', session)]],
              body: new URLSearchParams([
                ['csrf', makeToken('session', session)],
                ['ticket', makeToken('ticket', session, index - 1)],
                ['shelf', String(index - 1)],
                ['article', readArticle(index - 1, 5)],
                ['colour', 'red'],
                ['note', `A gift for number ${index}`],
              ]).toString(),
              text: page(index, session),
            },
          ])
        : recordedStep(`step ${index}`, [
            {
              url: `/shelves/${index}/articles/${readArticle(index - 1, 3)}?sort=price&v=4f3c2b1a99&from=${readArticle(index - 2, 1)}`,
              headers: [
                ['X-Requested-By', 'shop-7f2e4d1c'],
                ['X-Session', makeToken('session', session)],
              ],
              text: page(index, session),
            },
          ]),
    );
  const recorded = walk(0);
  return { plan: planOfWalk(recorded), recorded, walk };
}

const ROW_BYTES = 230;

function rowOf(page: number, row: number): string {
  const article = readArticle(page, row);
  return `<article id="article-${article}" data-article="${article}" class="card card-wide"><a href="/shelves/${page}/articles/${article}?sort=price">Article ${row} of shelf ${page}</a><p>Red, green or blue; ${makeToken('row', 0, page, row)}</p></article>`;
}

function readArticle(page: number, row: number): string {
  return String(100_000 + ((page * 7_919 + row * 104_729 + 900_000) % 900_000));
}

/** Returns a token of 32 hexadecimal digits that depends only on the arguments. */
function makeToken(kind: string, ...numbers: readonly number[]): string {
  let hash = 2_166_136_261;
  for (const letter of `${kind} ${numbers.join(' ')}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  let token = '';
  while (token.length < 32) {
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507) >>> 0;
    hash = (hash + 2_654_435_769) >>> 0;
    token += hash.toString(16).padStart(8, '0');
  }
  return token;
}

function planOfWalk(walk: Walk): Plan {
  return planOfSteps(
    walk.map(({ step, exchanges: [request] }) => {
      const { method, url, headers, body } = request as Exchange;
      const { pathname, search } = new URL(url);
      return {
        name: step,
        method,
        path: `${pathname}${search}`,
        headers: Object.fromEntries(headers.filter(([name]) => name !== 'Content-Type')),
        ...(body === null ? {} : { form: Object.fromEntries(new URLSearchParams(body)) }),
      };
    }),
  );
}
