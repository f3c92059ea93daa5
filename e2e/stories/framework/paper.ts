import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HoldfastError } from '#core/base/errors.ts';
import { readTags } from '#core/work/pages/readTags.ts';
import type { Client } from '#contract/rpc/client.ts';
import { findBrowser } from '#backend/browser/findBrowser.ts';
import { findProgram } from '#lab/programs/find.ts';
import type { Scene } from './scene.ts';

const LINES = new Set(['td', 'th', 'p', 'li', 'h1', 'h2', 'h3', 'h4', 'strong']);

type Source = { readonly runId: string } | { readonly searchId: string };

/**
 * Returns the text of a report about a run or a search. If this machine has a browser and `pdftotext`, the text comes from the printed PDF,
 * otherwise from the HTML file.
 */
export async function readReport(scene: Scene, of: Source): Promise<string> {
  const client = await scene.client();
  return hasBrowser() && (await findProgram('pdftotext', process.env)) !== null ? readPdfText(scene, client, of) : readPageText(client, of);
}

/** Returns how often words occur in a report, whatever the breaks between lines and cells. */
export function countOccurrences(report: string, words: string): number {
  return report.replaceAll(/\s/g, '').split(words.replaceAll(/\s/g, '')).length - 1;
}

async function readPdfText(scene: Scene, client: Client, of: Source): Promise<string> {
  const pdf = await new Promise<Buffer>((resolve, reject) => {
    let printed: Buffer | null = null;
    client.open(
      'reports.pdf',
      { of },
      {
        onItem({ file }) {
          if (file !== null) printed = Buffer.from(file.base64, 'base64');
        },
        onEnd: (problem) => (printed === null ? reject(problem ?? new Error('Nothing was printed.')) : resolve(printed)),
      },
    );
  });
  const file = join(scene.directory, 'report.pdf');
  await writeFile(file, pdf);
  // With `-raw`, text is in the order in which it was drawn, so the lines of a cell stay together.
  const { stdout } = await promisify(execFile)('pdftotext', ['-raw', file, '-']);
  return stdout;
}

async function readPageText(client: Client, of: Source): Promise<string> {
  const { content } =
    'runId' in of
      ? await client.call('runs.export', { ...of, format: 'html' })
      : await client.call('searches.export', { ...of, format: 'html' });
  return textOf(content);
}

/** Returns the text of a page, with one line for each cell and paragraph. */
function textOf(html: string): string {
  const pieces: string[] = [];
  let isStyle = false;
  readTags(html, {
    wants: (name) => name === 'style',
    open: () => {
      isStyle = true;
    },
    close(name) {
      isStyle &&= name !== 'style';
      if (LINES.has(name)) pieces.push('\n');
    },
    text(text) {
      if (!isStyle) pieces.push(text);
    },
  });
  return pieces.join('');
}

function hasBrowser(): boolean {
  try {
    findBrowser('print');
    return true;
  } catch (thrown) {
    if (thrown instanceof HoldfastError && thrown.code === 'NO_BROWSER') return false;
    throw thrown;
  }
}
