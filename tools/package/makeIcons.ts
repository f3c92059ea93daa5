// Draws the desktop app's icons from the page's own icon: node tools/package/makeIcons.ts. The results are committed, because the computer
// that builds a package may have no browser.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { browserFlags, installedBrowser } from '../check/browser.ts';

const root = resolve(import.meta.dirname, '..', '..');
const folder = resolve(root, 'electron', 'icons');
/** Share of each side that a macOS icon fills, because it has a margin of 10 % on both ends. */
const MAC_SHARE = 0.8;
/** The types in a macOS icon family that hold a PNG, each with its side length in pixels. */
const MAC_TYPES: readonly (readonly [string, number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic14', 512],
  ['ic10', 1_024],
];
const WINDOWS_SIDES = [16, 24, 32, 48, 64, 128, 256];
const LINUX_SIDES = [16, 32, 48, 64, 128, 256, 512];

const drawing = await readFile(resolve(root, 'src', 'ui', 'icon.svg'), 'utf8');
const executablePath = installedBrowser();
const browser = await chromium.launch({ args: [...browserFlags], ...(executablePath ? { executablePath } : {}) });
try {
  await mkdir(folder, { recursive: true });
  for (const side of LINUX_SIDES) await writeFile(resolve(folder, `${side}x${side}.png`), await draw(browser, side));
  await writeFile(resolve(folder, 'icon.ico'), windowsIcon(await drawAll(WINDOWS_SIDES, 1)));
  const mac = await drawAll(
    MAC_TYPES.map(([, side]) => side),
    MAC_SHARE,
  );
  await writeFile(resolve(folder, 'icon.icns'), macIcon(mac));
} finally {
  await browser.close();
}

async function drawAll(sides: readonly number[], share: number): Promise<ReadonlyMap<number, Buffer>> {
  const drawn = new Map<number, Buffer>();
  for (const side of sides) drawn.set(side, await draw(browser, side, share));
  return drawn;
}

async function draw(from: Browser, side: number, share = 1): Promise<Buffer> {
  const page = await from.newPage({ viewport: { width: side, height: side } });
  try {
    const inner = `width:${share * 100}vw;margin:${(1 - share) * 50}vw`;
    await page.setContent(`<style>html,body{margin:0;background:transparent}svg{display:block;${inner}}</style>${drawing}`);
    return await page.screenshot({ omitBackground: true });
  } finally {
    await page.close();
  }
}

/** Returns a Windows icon file: a directory with 16 bytes for each picture, followed by the PNGs. A side length of 256 is stored as 0. */
function windowsIcon(drawn: ReadonlyMap<number, Buffer>): Buffer {
  const head = Buffer.alloc(6 + 16 * drawn.size);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(drawn.size, 4);
  let offset = head.length;
  for (const [index, [side, png]] of [...drawn].entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(side % 256, at);
    head.writeUInt8(side % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...drawn.values()]);
}

/** Returns a macOS icon family. Each PNG, and the whole file, begins with a type and a length. */
function macIcon(drawn: ReadonlyMap<number, Buffer>): Buffer {
  const parts = MAC_TYPES.map(([type, side]) => block(type, drawn.get(side) ?? Buffer.alloc(0)));
  return block('icns', Buffer.concat(parts));
}

function block(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}
