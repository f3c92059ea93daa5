import type { Page } from '@playwright/test';

/** The frame of the app, which is visible on every page. */
export class AppPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the address that `holdfast serve` has printed, and waits until the app responds. */
  async open(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.page.locator('html:not([data-screen])').waitFor();
    // The app opens its first page once it knows the active runs. An address that was opened earlier would be replaced by that page.
    await this.page.waitForURL(/#\/./);
  }

  /** The navigation on the left. */
  get rail() {
    return this.page.getByRole('navigation').first();
  }
}
