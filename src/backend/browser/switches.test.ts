import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { planFor } from '../testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { launchBrowser } from '../visits/browser.ts';
import { DISABLED_FEATURES } from './openBrowser.ts';

const writeFeatures = (flag: string): string[] => flag.slice(flag.indexOf('=') + 1).split(',');

it('Holdfast disables all browser features that Playwright disables', async () => {
  const directory = temporaryDirectory();
  const [program, stated] = [join(directory, 'browser.sh'), join(directory, 'arguments')];
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >'${stated}'\n`);
  chmodSync(program, 0o755);
  await expect(chromium.launch({ executablePath: program, headless: true })).rejects.toThrow();
  const flag = readFileSync(stated, 'utf8')
    .split('\n')
    .find((argument) => argument.startsWith('--disable-features='));
  // Chromium lacks the features of Edge, whose names begin with “ms”.
  const theirs = writeFeatures(flag ?? '').filter((feature) => !feature.startsWith('ms'));
  expect(theirs).toContain('HttpsUpgrades');
  expect(writeFeatures(DISABLED_FEATURES)).toEqual(expect.arrayContaining(theirs));
});

it('a visiting browser opens only the page that it visits', async () => {
  const browser = await launchBrowser(planFor('http://127.0.0.1:1/'));
  try {
    const page = await browser.newPage();
    const tools = await browser.newBrowserCDPSession();
    const { targetInfos } = await tools.send('Target.getTargets', { filter: [{}] });
    const pages = targetInfos.filter(({ url }) => url.startsWith('chrome:'));
    expect(pages).toEqual([]);
    expect(page.url()).toBe('about:blank');
  } finally {
    await browser.close();
  }
});

/** Returns by which ways a page can reach an address without a name lookup and without a request that the visit observes. */
const PAST_NAMES = `async ({ udp, tcp }) => {
  const connection = new RTCPeerConnection({ iceServers: [
    { urls: 'stun:127.0.0.2:' + udp },
    { urls: 'turn:127.0.0.2:' + udp + '?transport=udp', username: 'u', credential: 'c' },
    { urls: 'turn:127.0.0.2:' + tcp + '?transport=tcp', username: 'u', credential: 'c' },
    { urls: 'turns:127.0.0.2:' + tcp + '?transport=tcp', username: 'u', credential: 'c' },
  ] });
  connection.createDataChannel('x');
  await connection.setLocalDescription(await connection.createOffer());
  try { new WebTransport('https://127.0.0.2:' + udp).ready.catch(() => {}); } catch {}
  fetch('http://127.0.0.2:' + tcp + '/').catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 2000));
}`;

it('a visiting browser reaches no other host by UDP or TCP', async () => {
  const received: string[] = [];
  const [udp, tcp] = [
    createSocket('udp4'),
    createServer((socket) => {
      received.push('tcp');
      socket.destroy();
    }),
  ];
  udp.on('message', () => received.push('udp')).bind(0, '127.0.0.2');
  tcp.listen(0, '127.0.0.2');
  const page = createHttpServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>page</title>'));
  page.listen(0, '127.0.0.1');
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening'), once(page, 'listening')]);
  const url = `http://127.0.0.1:${portOf(page.address())}/`;
  const browser = await launchBrowser(planFor(url));
  try {
    const tab = await browser.newPage();
    await tab.goto(url);
    await tab.evaluate(`(${PAST_NAMES})(${JSON.stringify({ udp: udp.address().port, tcp: portOf(tcp.address()) })})`);
    expect(received).toEqual([]);
  } finally {
    await browser.close();
    udp.close();
    tcp.close();
    page.close();
  }
});

function portOf(address: ReturnType<Server['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
