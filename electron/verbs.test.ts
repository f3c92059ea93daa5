import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { keepForPage, performVerb, safeFileName } from './verbs.ts';
import { replySaveDialog, failToLoad, saveDialogOptions } from './testing/electron.ts';

it.each([
  ['result.json', 'result.json'],
  ['Contest of May 3.csv', 'Contest of May 3.csv'],
  ['../../.bashrc', 'bashrc'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Windows\\win.ini', 'win.ini'],
  ['a:b?.txt', 'a-b-.txt'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['', 'holdfast.txt'],
  ['...', 'holdfast.txt'],
  ['name. ', 'name'],
  ['übung.json', 'übung.json'],
])('safeFileName converts %j to %j', (suggested, name) => expect(safeFileName(suggested)).toBe(name));

it('safeFileName never returns a path, or a hidden, empty or long name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (suggested) => {
      const name = safeFileName(suggested);
      expect(name).toMatch(/^[^./\\<>:"|?*][^/\\<>:"|?*]*$/s);
      expect(name.length).toBeLessThanOrEqual(121);
    }),
  );
});

const window = {} as BrowserWindow;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-verbs-'));
});
afterEach(() => rm(directory, { recursive: true }));

const saveText = (suggestedName: string, content: string) => performVerb({ verb: 'saveText', suggestedName, content }, window);

describe('saving a text', () => {
  it('saves to the path that the user selects, whatever the page suggests', async () => {
    replySaveDialog({ canceled: false, filePath: join(directory, 'chosen.json') });
    expect(await saveText('../../etc/passwd', '{"ä":1}')).toEqual({ done: true });
    expect(saveDialogOptions.at(-1)).toEqual({ defaultPath: 'passwd' });
    expect(await readdir(directory)).toEqual(['chosen.json']);
    expect(await readFile(join(directory, 'chosen.json'), 'utf8')).toBe('{"ä":1}');
  });

  it('does nothing if the user cancels', async () => {
    replySaveDialog({ canceled: true, filePath: '' });
    expect(await saveText('a.json', '{}')).toEqual({ done: false });
    expect(await readdir(directory)).toEqual([]);
  });

  it('reports an error and leaves no partial file', async () => {
    await writeFile(join(directory, 'file'), 'old');
    replySaveDialog({ canceled: false, filePath: join(directory, 'file', 'below-a-file.json') });
    const reply = await saveText('a.json', '{}');
    expect(reply).toMatchObject({ done: false, problem: { code: 'NOT_SAVED', hint: expect.stringContaining('another folder') } });
    expect(await readdir(directory)).toEqual(['file']);
  });
});

describe('saving a PDF', () => {
  const savePdf = () => performVerb({ verb: 'savePdf', suggestedName: 'report.pdf', html: '<h1>Report</h1>' }, window);

  it("prints the page's HTML to the path that the user selects", async () => {
    replySaveDialog({ canceled: false, filePath: join(directory, 'mine.pdf') });
    expect(await savePdf()).toEqual({ done: true });
    expect(saveDialogOptions.at(-1)).toEqual({ defaultPath: 'report.pdf' });
    expect(await readFile(join(directory, 'mine.pdf'), 'utf8')).toBe('%PDF-');
  });

  it('reports that printing failed, and leaves no file', async () => {
    replySaveDialog({ canceled: false, filePath: join(directory, 'mine.pdf') });
    failToLoad(new Error('no memory'));
    expect(await savePdf()).toMatchObject({ done: false, problem: { code: 'PDF_FAILED', message: expect.stringContaining('no memory') } });
    failToLoad(null);
    expect(await readdir(directory)).toEqual([]);
  });
});

it('a file that the system opened can be taken only once, and only if no other file was opened after it', async () => {
  const takeFile = () => performVerb({ verb: 'takeFile' }, window);
  expect(await takeFile()).toEqual({ done: false });
  for (const name of ['a.holdfast', 'b.holdfast']) keepForPage({ name, text: 'holdfast: 1' });
  expect(await takeFile()).toEqual({ done: true, file: { name: 'b.holdfast', text: 'holdfast: 1' } });
  expect(await takeFile()).toEqual({ done: false });
});
