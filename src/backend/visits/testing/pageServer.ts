import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 600;
const HEIGHT = 400;

/** Returns a PNG of noise, 600 × 400 pixels. A picture with fewer bytes for its size would not be a candidate for the largest paint. */
export function picture(): Buffer {
  const row = WIDTH * 3 + 1;
  const pixels = Buffer.alloc(row * HEIGHT);
  // The noise is deterministic. The first byte of each row selects no filter.
  for (let place = 0; place < pixels.length; place += 1)
    pixels[place] = place % row === 0 ? 0 : (Math.imul(place, 2_654_435_761) >>> 24) & 255;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const PAGE = `<!doctype html><title>Shop</title><style>body{font:20px sans-serif;margin:20px}</style><h1>The shop</h1>
<p>Words that come first. <button>Buy</button></p><div id=late></div><img src="/picture.png" width=${WIDTH} height=${HEIGHT}>
<img src="/gone.png"><script src="http://cdn.example.com/ads.js" async></script>
<script>setTimeout(() => { document.getElementById('late').style.height = '120px'; }, 250)</script>`;

export const BLOCKING_MS = 300;

const CLICKS = `<!doctype html><title>Clicks</title><h1>Clicks</h1><p id=out>nothing</p>
<button style="display:none">Slow</button><button id=slow>Slow</button><button class=quick>Quick</button><a href="/">Leave</a>
<script>
document.getElementById('slow').onclick = () => { for (const t = performance.now(); performance.now() - t < ${BLOCKING_MS};); document.getElementById('out').textContent = 'slow'; };
document.querySelector('.quick').onclick = () => { document.getElementById('out').textContent = 'quick'; };
</script>`;

const PAGE_MS = 40;

export interface PageServer {
  readonly url: string;
  /** Delay of the picture in ms, which applies from the next request on. */
  pictureMs: number;
  /** Status of the page. */
  status: number;
  readonly hosts: string[];
  /** Releases the response to `/held`. A load of one such request lasts until then. */
  readonly held: PromiseWithResolvers<void>;
  /** Number of requests for the page. */
  readonly visits: number;
  readonly agents: string[];
  close(): Promise<void>;
}

/** Starts a page whose largest element is a delayed picture, with a layout shift, a missing file and a third-party script. */
export async function startPageServer(): Promise<PageServer> {
  const content = picture();
  const page: { -readonly [Key in keyof PageServer]: PageServer[Key] } = {
    url: '',
    pictureMs: 100,
    status: 200,
    hosts: [],
    held: Promise.withResolvers(),
    visits: 0,
    agents: [],
    close() {
      page.held.resolve();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const server: Server = createServer((request, response) => {
    page.hosts.push(request.headers.host ?? '');
    switch (request.url) {
      case '/':
        page.visits += 1;
        page.agents.push(request.headers['user-agent'] ?? '');
        // The delay slows the load down, which leaves processor time for a browser.
        setTimeout(() => response.writeHead(page.status, { 'content-type': 'text/html' }).end(PAGE), PAGE_MS);
        break;
      case '/held':
        void page.held.promise.then(() => response.end());
        break;
      case '/clicks':
        response.writeHead(200, { 'content-type': 'text/html' }).end(CLICKS);
        break;
      case '/picture.png':
        setTimeout(
          () => response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'max-age=600' }).end(content),
          page.pictureMs,
        );
        break;
      default:
        response.writeHead(404).end();
    }
  });
  server.keepAliveTimeout = 1;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address has a port, because the server listens on TCP.
  page.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return page;
}
