import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserWindow } from 'electron';
import { answerSaveDialog, failToLoad, saveDialogOptions } from './testing/electron.ts';
import { keepForPage, perform } from './verbs.ts';

const window = {} as BrowserWindow;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-verbs-'));
});
afterEach(() => rm(directory, { recursive: true }));

const saveText = (suggestedName: string, content: string) => perform({ verb: 'saveText', suggestedName, content }, window);

describe('saving a text', () => {
  it('goes where the person says, whatever the page suggests', async () => {
    answerSaveDialog({ canceled: false, filePath: join(directory, 'chosen.json') });
    expect(await saveText('../../etc/passwd', '{"ä":1}')).toEqual({ done: true });
    expect(saveDialogOptions.at(-1)).toEqual({ defaultPath: 'passwd' });
    expect(await readdir(directory)).toEqual(['chosen.json']);
    expect(await readFile(join(directory, 'chosen.json'), 'utf8')).toBe('{"ä":1}');
  });

  it('does nothing when the person thinks better of it', async () => {
    answerSaveDialog({ canceled: true, filePath: '' });
    expect(await saveText('a.json', '{}')).toEqual({ done: false });
    expect(await readdir(directory)).toEqual([]);
  });

  it('says why it failed and leaves nothing behind', async () => {
    await writeFile(join(directory, 'file'), 'old');
    answerSaveDialog({ canceled: false, filePath: join(directory, 'file', 'below-a-file.json') });
    const answer = await saveText('a.json', '{}');
    expect(answer).toMatchObject({ done: false, problem: { code: 'NOT_SAVED', hint: expect.stringContaining('another folder') } });
    expect(await readdir(directory)).toEqual(['file']);
  });
});

describe('saving a PDF', () => {
  const savePdf = () => perform({ verb: 'savePdf', suggestedName: 'report.pdf', html: '<h1>Report</h1>' }, window);

  it('prints what the page gives, to where the person says', async () => {
    answerSaveDialog({ canceled: false, filePath: join(directory, 'mine.pdf') });
    expect(await savePdf()).toEqual({ done: true });
    expect(saveDialogOptions.at(-1)).toEqual({ defaultPath: 'report.pdf' });
    expect(await readFile(join(directory, 'mine.pdf'), 'utf8')).toBe('%PDF-');
  });

  it('says why it was not printed, and leaves nothing behind', async () => {
    answerSaveDialog({ canceled: false, filePath: join(directory, 'mine.pdf') });
    failToLoad(new Error('no memory'));
    expect(await savePdf()).toMatchObject({ done: false, problem: { code: 'PDF_FAILED', message: expect.stringContaining('no memory') } });
    failToLoad(null);
    expect(await readdir(directory)).toEqual([]);
  });
});

it('a file that the system opened is taken once, the last of them', async () => {
  const take = () => perform({ verb: 'takeFile' }, window);
  expect(await take()).toEqual({ done: false });
  for (const name of ['a.holdfast', 'b.holdfast']) keepForPage({ name, text: 'holdfast: 1' });
  expect(await take()).toEqual({ done: true, file: { name: 'b.holdfast', text: 'holdfast: 1' } });
  expect(await take()).toEqual({ done: false });
});
