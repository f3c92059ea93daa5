import { expect, type Locator, type Page } from '@playwright/test';
import { TRIED } from '#core/work/samples/schema.ts';

/** The wizard from the question to the start of the load. The parameters of methods are the names that are visible on the screen. */
export class WizardPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.getByRole('link', { name: 'New test' }).first().click();
    await expect(this.heading('What do you want to know?')).toBeVisible();
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  get nextButton(): Locator {
    return this.page.getByRole('button', { name: 'Next', exact: true });
  }

  async next(to: string): Promise<void> {
    await this.nextButton.click();
    await expect(this.heading(to)).toBeVisible();
  }

  async back(to: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(this.heading(to)).toBeVisible();
  }

  /** Selects an option from a list that opens. */
  async select(label: string, option: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: label }).click();
    await this.page.getByRole('option', { name: option }).click();
  }

  /** Selects a question, a test or a load model by the name on its card. */
  async choose(question: string | RegExp): Promise<void> {
    // Uses the keyboard, because the bar at the bottom may cover a card.
    const card = this.page.getByRole('radio', { name: question });
    await card.press('Space');
    await expect(card).toBeChecked();
  }

  get address(): Locator {
    return this.page.getByRole('textbox', { name: 'Address', exact: true });
  }

  /** Starts the practice server and logs in with its account. */
  async usePracticeServer(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start the practice server' }).click();
    await expect(this.page.getByText(/^Logged in, \d+ cookies? kept in memory/)).toBeVisible();
  }

  number(name: string | RegExp): Locator {
    return this.page.getByRole('textbox', { name });
  }

  /** Enters a number into a field, and leaves the field so that the number is accepted. */
  async enterNumber(name: string | RegExp, value: string): Promise<void> {
    const field = this.number(name);
    await field.fill(value);
    await field.press('Tab');
  }

  /** Enters an address in place of a plan, and proceeds to its load. */
  async openAddress(url: string): Promise<void> {
    const field = await this.paste(url);
    await field.press('Enter');
    await expect(this.heading('How much load?')).toBeVisible();
  }

  /** Enters the text of a plan and proceeds to its load. */
  async openPlan(text: string): Promise<void> {
    await this.paste(text);
    await this.page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(this.heading('How much load?')).toBeVisible();
  }

  private async paste(text: string): Promise<Locator> {
    await this.open();
    const field = this.page.getByRole('textbox', { name: 'Enter a URL or paste a command' });
    await field.fill(text);
    return field;
  }

  /** Adds a criterion of the given kind with its default values. */
  async addLimit(kind: string): Promise<void> {
    await this.page.getByRole('button', { name: /Add a criterion/ }).click();
    await this.page.getByRole('option', { name: kind }).click();
  }

  /** Asserts that the load page fits into a window of usual size while details are collapsed. */
  async expectShortLoad(maxHeightPixels = 1_360): Promise<void> {
    await expect(this.page.getByRole('button', { name: /^Stages/ })).toBeVisible();
    expect(await this.page.locator('main').evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThanOrEqual(maxHeightPixels);
  }

  /** Expands the line that says whether the test is ready. */
  async openChecks(): Promise<void> {
    await this.openPart('(Passed|Warning|Problem) (One user|The machines|A machine|Checking|Waiting)');
  }

  /** Expands the part whose title begins with this text. */
  async openPart(title: string): Promise<void> {
    const part = this.page.getByRole('button', { name: new RegExp(`^${title}`) });
    if ((await part.getAttribute('aria-expanded')) === 'true') return;
    // Uses the keyboard, because content above the part may still change and move the part away from the pointer.
    await part.press('Enter');
    await expect(part).toHaveAttribute('aria-expanded', 'true');
  }

  /** Selects the role of a machine in “Run from”. */
  async giveRole(machine: string, role: string): Promise<void> {
    await this.page.getByRole('button', { name: `Role of ${machine}` }).click();
    await this.page.getByRole('option', { name: role }).click();
  }

  get startButton(): Locator {
    return this.page.getByRole('button', { name: 'Start the test' });
  }

  /** Waits until the trial by one user has succeeded. All later requests then belong to the load. */
  async endOfTrial(): Promise<void> {
    await expect(this.page.getByText(TRIED.good)).toBeVisible({ timeout: 120_000 });
  }

  /** Proceeds from the question to “Ready to start?” for one page with two connections. */
  async prepareOnePage(url: string, seconds: number): Promise<void> {
    await this.open();
    await this.choose('How fast is one page?');
    await this.next('Which server?');
    await this.address.fill(url);
    await this.next('How much load?');
    await this.enterNumber(/How many connections/, '2');
    await this.enterNumber(/For how many seconds/, String(seconds));
    await this.next('Ready to start?');
    await expect(this.startButton).toBeEnabled();
  }

  /** Clicks Start until the run begins, because shortly after Next a click counts as the second half of a double click. */
  async start(): Promise<void> {
    await expect(async () => {
      if (await this.startButton.isVisible()) await this.startButton.click({ timeout: 1_000 });
      await expect(this.page).toHaveURL(/#\/runs\//, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
  }

  /** Starts a load on one page and proceeds to its live view. */
  async startOnePage(url: string, seconds: number): Promise<void> {
    await this.prepareOnePage(url, seconds);
    await this.start();
  }
}
