import { isBlock } from '#core/base/json.ts';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readLabArguments } from '#lab/registry.ts';
import { cacheDirectoryFor } from '#lab/cacheDirectory.ts';
import { type Scene, SCENES } from './scenes.ts';
import { startShop } from './shop.ts';

/** Bodies with text for users or values of later requests. */
const KEPT_BODY_TYPES = /html|json|text\/plain|xml|event-stream/i;
const MAX_RESPONSE_LENGTH = 9_000;
const MAX_REQUEST_LENGTH = 20_000;

type Block = Record<string, unknown>;

/**
 * Returns a recording without contents of images, styles, scripts and long responses, one entry per line. Everything else is unchanged.
 * @throws if the text is no HAR
 */
function trimmedHar(text: string): string {
  const { log } = blockOf(JSON.parse(text));
  const { entries, ...head } = blockOf(log);
  if (!Array.isArray(entries)) throw new Error('The recording has no entries.');
  for (const entry of entries.map(blockOf)) {
    trimAnswer(blockOf(blockOf(entry['response'])['content']));
    const { postData } = blockOf(entry['request']);
    if (postData !== undefined) trimLong(blockOf(postData), MAX_REQUEST_LENGTH);
  }
  const lines = entries.map((entry) => JSON.stringify(entry));
  return `{"log":{${JSON.stringify(head).slice(1, -1)},"entries":[\n${lines.join(',\n')}\n]}}\n`;
}

function trimAnswer(content: Block): void {
  if (KEPT_BODY_TYPES.test(String(content['mimeType'] ?? '')) && content['encoding'] !== 'base64') trimLong(content, MAX_RESPONSE_LENGTH);
  else {
    delete content['text'];
    delete content['encoding'];
  }
}

function trimLong(holder: Block, longest: number): void {
  const { text } = holder;
  if (typeof text === 'string' && text.length > longest) delete holder['text'];
}

function blockOf(value: unknown): Block {
  if (!isBlock(value)) throw new Error('The recording is no HAR.');
  return value;
}

/**
 * Records the HARs for import tests with a real browser on the practice servers: `node tools/har/record.ts [NAME …]`. Default: all scenes.
 * src/core/import/har/recordings.test.ts contains the expectations.
 */

const root = resolve(import.meta.dirname, '..', '..');
const target = join(root, 'src', 'core', 'import', 'testing', 'recordings');
const SHOP_PORT = 19_790;
const SHOP_API_PORT = 19_791;

async function record({ name, lab, recorder, walk }: Scene): Promise<void> {
  const surroundings = {
    entry: new URL('../../src/lab/main.ts', import.meta.url),
    cacheDirectory: cacheDirectoryFor(process.env),
    environment: process.env,
    onProgress: console.error,
  };
  const shop = await startShop(SHOP_PORT, SHOP_API_PORT);
  const { lab: kind, given } = lab === undefined ? { lab: null, given: {} } : readLabArguments(lab);
  const running = await kind?.start(given, surroundings);
  try {
    const place = {
      urls: running?.urls ?? [shop.url],
      addresses: running?.addresses ?? [],
      accounts: running?.accounts ?? [],
      shop,
    };
    const text = trimmedHar(await recorder((page) => walk(page, place)));
    await writeFile(join(target, `${name}.har`), text);
    console.log(`${name}: ${text.split('\n').length - 3} requests, ${Math.ceil(text.length / 1_000)} kB`);
  } finally {
    await running?.stop();
    await shop.stop();
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !SCENES.some((scene) => scene.name === name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}. There are: ${SCENES.map(({ name }) => name).join(', ')}.`);
for (const scene of SCENES) if (wanted.length === 0 || wanted.includes(scene.name)) await record(scene);
