import type { GivenOptions } from '#core/base/lab/listing.ts';
import { findLab } from '#lab/registry.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { createServer } from 'node:http';
import { once } from 'node:events';

const image = (number: number, size = 40): string => `<img src="/picture-${number}.png" alt="" width="${size}" height="${size}">`;

/** A page whose HTML and style sheets contain every kind of reference, but only trivial scripts. */
const PAGE = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Reference page</title>
<link rel="icon" href="/icon-32.png" sizes="32x32"><link rel="icon" href="/icon-192.png" sizes="192x192">
<script src="/counter.js" async></script><link rel="stylesheet" href="/main.css"><style>@import "/inline.css"; .block { background: url(/block.png) }</style><link rel="stylesheet" href="/print.css" media="print">
<script src="/first.js"></script><script src="/later.js" defer></script><script src="/module.js" type="module"></script><script src="/old.js" nomodule></script>
<link rel="preload" as="image" href="/narrow.png" media="(max-width: 500px)"></head>
<body><h1>Reference page</h1>
<picture><source media="(max-width: 500px)" srcset="/small.png"><source type="image/webp" srcset="/large.webp.png"><img src="/large.png" alt="" width="300" height="200"></picture>
<img srcset="/w-320.png 320w, /w-640.png 640w, /w-1300.png 1300w" sizes="(max-width: 1000px) 100vw, 600px" src="/w.png" alt="" width="300" height="200">
${[1, 2, 3, 4, 5, 6, 7, 8].map((number) => image(number)).join('\n')}
<div style="height: 9000px"></div><img src="/far.png" alt="" width="40" height="9000" loading="lazy"><img src="/further.png" alt="" width="40" height="40" loading="lazy">
<p class="block">A block</p><p class="imported">Imported</p><p class="before">Before</p><p class="hidden">Hidden</p><p style="background: url(/attribute.png)">Attribute</p>
<ul><li>One</li></ul><div class="mask cursor">Mask</div><details><summary>More</summary><p class="shut">Shut</p></details><b class="strong">Strong</b>
<script src="/end.js"></script></body></html>`;

const FONT = (name: string, more: string): string =>
  `@font-face { font-family: web; src: url(fonts/${name}.woff2) format("woff2"); ${more} }`;

const SHEETS: Readonly<Record<string, string>> = {
  '/main.css': `@import "imported.css"; @import url(paper.css) print;
    ${FONT('latin', 'unicode-range: U+0-24F')} ${FONT('greek', 'unicode-range: U+370-3FF')} ${FONT('bold', 'font-weight: 700')} ${FONT('unused', 'font-style: italic')}
    body { margin: 1rem; font-family: Missing, web, sans-serif; --picture: url(/variable.png) }
    .before::before { content: ''; background: image-set('/one.png' 1x, '/two.png' 2x) } .after::after { background: url(/no-content.png) }
    .hidden { display: none; background: url(/hidden.png) } .shut { background: url(/shut.png) } p:hover { background: url(/hover.png) }
    ul > li:first-child { list-style-image: url(/bullet.png) } .mask { mask-image: url(/mask.png) } .cursor { cursor: url(/cursor.png), auto }
    .block { background: url(/overruled.png) } .missing { background: url(/missing.png) } .strong { background: var(--picture) }
    @media print { p { background: url(/paper.png) } } @media (min-width: 600px) { h1 { background: url(/wide.png) } }`,
  '/imported.css': '@import "deep.css"; .imported { background: url(/imported.png) }',
  '/deep.css': '.imported::after { content: url(/deep.png) }',
};

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64');

/** Starts a server for the reference page. */
async function startReferencePage(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else if (path.endsWith('.css')) response.writeHead(200, { 'content-type': 'text/css' }).end(SHEETS[path] ?? 'i { color: red }\n');
    // An invalid font is requested like any other font.
    else if (path.endsWith('.woff2')) response.writeHead(200, { 'content-type': 'font/woff2' }).end(PIXEL);
    else if (path.endsWith('.js')) response.writeHead(200, { 'content-type': 'text/javascript' }).end('// Nothing is done here.\n');
    else response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A site with pages that is running. */
export interface RunningSubject {
  /** The pages, each with a title for the table. */
  readonly pages: readonly { readonly title: string; readonly url: string }[];
  close(): Promise<void>;
}

export interface Subject {
  readonly id: string;
  /** Whether the site is also measured over HTTP/2. */
  readonly http2: boolean;
  start(): Promise<RunningSubject>;
}

export const SUBJECTS: readonly Subject[] = [
  { id: 'reference', http2: true, start: reference },
  { id: 'school', http2: false, start: () => practice('school-site', { 'service-ms': 40 }, [['school: start page', '/']]) },
  {
    id: 'contest',
    http2: false,
    start: () =>
      practice('contest', { scoreboard: true, shards: 1 }, [
        ['contest: login', '/'],
        ['contest: scoreboard', 'scoreboard'],
      ]),
  },
];

async function reference(): Promise<RunningSubject> {
  const { url, close } = await startReferencePage();
  return { pages: [{ title: 'reference page', url }], close };
}

async function practice(name: string, options: GivenOptions, pages: readonly (readonly [string, string])[]): Promise<RunningSubject> {
  const lab = await findLab(name).start(options, testSurroundings());
  const main = lab.urls[0] ?? '';
  const board = lab.addresses.find(({ label }) => label.startsWith('Scoreboard'))?.url ?? main;
  return {
    pages: pages.map(([title, path]) => ({ title, url: path === 'scoreboard' ? board : new URL(path, main).href })),
    close: () => lab.stop(),
  };
}

/** Returns a page of a site that is already running on this computer. @throws if its address is not a loopback address. */
export function runningPage(text: string): Subject {
  const url = new URL(text);
  if (!/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)) throw new Error(`${text} is not on this computer.`);
  return {
    id: url.host,
    http2: false,
    start: () => Promise.resolve({ pages: [{ title: `${url.host}${url.pathname}`, url: url.href }], close: () => Promise.resolve() }),
  };
}
