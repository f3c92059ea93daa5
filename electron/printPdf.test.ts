import { afterEach, describe, expect, it } from 'vitest';
import { browserWindows, failToLoad, partitions } from './testing/electron.ts';
import { printPdf } from './printPdf.ts';

afterEach(() => failToLoad(null));

describe('printPdf', () => {
  it("makes a tagged PDF with outline, on the paper size that the document's style sets", async () => {
    expect(String(Buffer.from(await printPdf('<h1>Report</h1>')))).toBe('%PDF-');
    const [window] = browserWindows.slice(-1);
    expect(window?.printed).toEqual({
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
    });
    expect(window?.destroyed).toBe(true);
  });

  it('runs no script, and loads nothing but the document', async () => {
    const printing = printPdf('<p>the whole of it</p>');
    const [window] = browserWindows.slice(-1);
    expect(window?.options).toMatchObject({ show: false, webPreferences: { sandbox: true, javascript: false, nodeIntegration: false } });
    const reply = partitions.at(-1)?.handler;
    await printing;
    const ownResponse = reply?.({ url: window?.loaded ?? '' });
    expect(await ownResponse?.text()).toBe('<p>the whole of it</p>');
    expect(ownResponse?.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply?.({ url: 'app://holdfast/index.html' }).status).toBe(404);
    await printPdf('<p>another</p>');
    expect(new Set(partitions.map(({ name }) => name)).size, 'each has a session of its own').toBe(partitions.length);
  });

  it('removes the document from its session, because the session lives as long as the app', async () => {
    await printPdf('<p>a long one</p>');
    expect(partitions.at(-1)).not.toHaveProperty('handler');
  });

  it('leaves no window and no document behind after an error', async () => {
    failToLoad(new Error('no memory'));
    await expect(printPdf('<p></p>')).rejects.toThrow('no memory');
    expect(browserWindows.at(-1)?.destroyed).toBe(true);
    expect(partitions.at(-1)).not.toHaveProperty('handler');
  });
});
