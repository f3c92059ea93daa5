import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { resultSchema, type RunResult } from '#core/result/schema.ts';

interface SavedFile {
  readonly fileName: string;
  readonly path: string;
}

/** Maximum height of a result at a width of 1,280 px. */
const MAX_HEIGHT_PX = { closed: 3_000, open: 15_000 };

/**
 * Expands everything that is collapsed in a result, except menus. Returns how many parts were expanded, because these may contain further
 * collapsed parts.
 */
const UNFOLD = `(() => {
  const folded = [...document.querySelectorAll('main [aria-expanded="false"]:not([aria-haspopup])')];
  for (const one of folded) one.click();
  return folded.length;
})()`;

/** The page of a run. It shows the live view and then the result. */
export class RunPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get stopButton(): Locator {
    return this.page.getByRole('button', { name: 'Stop', exact: true });
  }

  get againButton(): Locator {
    return this.page.getByRole('button', { name: 'Run again', exact: true });
  }

  /** Waits until the load is running and the first second of the load is drawn. */
  async waitForLive(): Promise<void> {
    await expect(this.stopButton).toBeVisible();
    await expect(this.page.getByText('throughput', { exact: true }).first()).toBeVisible();
    await expect(this.page.getByText('Waiting for the first second')).toHaveCount(0, { timeout: 60_000 });
  }

  /** Returns the verdict after the run has ended. */
  async verdict(timeoutMs: number): Promise<Locator> {
    const verdict = this.page.getByRole('region', { name: /^(Passed|Failed|Inconclusive|Measured)$/ });
    await expect(verdict).toBeVisible({ timeout: timeoutMs });
    return verdict;
  }

  /** Asserts that the first screen of a result shows the verdict, its figures and two charts without scrolling. */
  async expectVerdictFirst(): Promise<void> {
    const { page } = this;
    await page.evaluate('scrollTo(0, 0)');
    await expect(page.getByText('Load', { exact: true }).first()).toBeInViewport({ ratio: 1 });
    for (const name of [/^Throughput/, /^Latency/]) await expect(page.getByRole('figure', { name })).toBeInViewport({ ratio: 1 });
    expect(await this.height(), 'height of a result in px').toBeLessThanOrEqual(MAX_HEIGHT_PX.closed);
  }

  /** Expands everything in one step, because drawing a long page again after each part would be slow. */
  async unfoldAll(): Promise<void> {
    await expect.poll(() => this.page.evaluate(UNFOLD)).toBe(0);
  }

  /** Expands everything, and asserts that the page is not too long to read. */
  async expectReadable(): Promise<void> {
    await this.unfoldAll();
    expect(await this.height(), 'height of a result with everything open in px').toBeLessThanOrEqual(MAX_HEIGHT_PX.open);
  }

  private height(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollHeight');
  }

  /** Expands a part of a result that is collapsed. */
  async unfold(title: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: title }).and(this.page.locator('[aria-expanded="false"]')).click();
  }

  /** Saves the result in one of its formats and returns the file. */
  save(format: string): Promise<SavedFile> {
    return this.choose('Save', format);
  }

  /** Saves the whole result, and returns the parsed result. */
  async result(): Promise<RunResult> {
    const { path } = await this.save('Full result as JSON');
    return resultSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  }

  /** Makes the report, saves it in one of its formats, and returns the file. */
  report(form: string): Promise<SavedFile> {
    return this.choose('Report', form);
  }

  private async choose(menu: string, item: string): Promise<SavedFile> {
    await this.page.getByRole('button', { name: menu, exact: true }).click();
    const download = this.page.waitForEvent('download');
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
    const savedDownload = await download;
    return { fileName: savedDownload.suggestedFilename(), path: await savedDownload.path() };
  }
}
