import { expect, type Locator, type Page } from '@playwright/test';
import { TRIED } from '#core/work/samples/words.ts';

/** The wizard from the question to the start of the load, by the names that people read on it. */
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

  /** Chooses one of several answers from a list that opens. */
  async select(label: string, option: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: label }).click();
    await this.page.getByRole('option', { name: option }).click();
  }

  /** Chooses a question, a test or how the load comes, by the name on its card. */
  async choose(question: string | RegExp): Promise<void> {
    // With the keyboard: a card may lie under the bar at the window's foot.
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

  /** Writes a number into a field and leaves it, which is when it counts. */
  async write(name: string | RegExp, value: string): Promise<void> {
    const field = this.number(name);
    await field.fill(value);
    await field.press('Tab');
  }

  /** Takes an address as the plan to begin with; ends at its load. */
  async openAddress(url: string): Promise<void> {
    const field = await this.paste(url);
    await field.press('Enter');
    await expect(this.heading('How much load?')).toBeVisible();
  }

  /** Takes the text of a plan; ends at its load. */
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

  /** Adds a limit of one of the kinds, as it is proposed. */
  async addLimit(kind: string): Promise<void> {
    await this.page.getByRole('button', { name: /Add a criterion/ }).click();
    await this.page.getByRole('option', { name: kind }).click();
  }

  /** What matters stands on the page of the load, at a window of the usual width; the rest is folded. */
  async expectShortLoad(maxHeightPixels = 1_300): Promise<void> {
    await expect(this.page.getByRole('button', { name: /^Stages/ })).toBeVisible();
    expect(await this.page.locator('main').evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThanOrEqual(maxHeightPixels);
  }

  /** Opens the line that says whether the test can begin. */
  async openChecks(): Promise<void> {
    await this.openPart('(Passed|Warning|Problem) (One user|The machines|A machine|Checking|Waiting)');
  }

  /** Opens a part that is folded, by the beginning of its title. */
  async openPart(title: string): Promise<void> {
    const part = this.page.getByRole('button', { name: new RegExp(`^${title}`) });
    if ((await part.getAttribute('aria-expanded')) === 'true') return;
    // By a key: what comes above it meanwhile moves it away from under a pointer that is pressed.
    await part.press('Enter');
    await expect(part).toHaveAttribute('aria-expanded', 'true');
  }

  /** Says what a machine does, in “Run from”. */
  async giveRole(machine: string, role: string): Promise<void> {
    await this.page.getByRole('button', { name: `Role of ${machine}` }).click();
    await this.page.getByRole('option', { name: role }).click();
  }

  get startButton(): Locator {
    return this.page.getByRole('button', { name: 'Start the test' });
  }

  /** Waits until one visitor has gone through the steps: what is sent from then on is the load’s. */
  async endOfTrial(): Promise<void> {
    await expect(this.page.getByText(TRIED.good)).toBeVisible({ timeout: 120_000 });
  }

  /** Goes from the question to “Ready to start?” for one page, asked for over two connections. */
  async prepareOnePage(url: string, seconds: number): Promise<void> {
    await this.open();
    await this.choose('How fast is one page?');
    await this.next('Which server?');
    await this.address.fill(url);
    await this.next('How much load?');
    await this.write(/How many connections/, '2');
    await this.write(/For how many seconds/, String(seconds));
    await this.next('Ready to start?');
    await expect(this.startButton).toBeEnabled();
  }

  /** Presses Start until it counts: for a moment after Next it is taken for the second half of a double click. */
  async start(): Promise<void> {
    await expect(async () => {
      if (await this.startButton.isVisible()) await this.startButton.click({ timeout: 1_000 });
      await expect(this.page).toHaveURL(/#\/runs\//, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
  }

  /** Starts a load on one page; ends at its live view. */
  async startOnePage(url: string, seconds: number): Promise<void> {
    await this.prepareOnePage(url, seconds);
    await this.start();
  }
}
