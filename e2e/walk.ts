import type { Page } from '@playwright/test';
import { z } from 'zod';

const PRESSED = 'walk.pressed';

/** Counts mouse presses as the page itself notices them. */
export class Walk {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Starts counting. */
  async begin(): Promise<void> {
    await this.page.evaluate(`(() => {
      sessionStorage.removeItem('${PRESSED}');
      addEventListener('pointerdown', ({ target }) => {
        const pressed = target.closest('button, a, label, [role=option]') ?? target;
        const all = JSON.parse(sessionStorage.getItem('${PRESSED}') ?? '[]');
        sessionStorage.setItem('${PRESSED}', JSON.stringify([...all, pressed.textContent.trim().slice(0, 60)]));
      }, { capture: true });
    })()`);
  }

  /** Returns the names of what was pressed, in order. */
  async listPressed(): Promise<string[]> {
    return z.array(z.string()).parse(JSON.parse(await this.page.evaluate<string>(`sessionStorage.getItem('${PRESSED}') ?? '[]'`)));
  }

  /** Returns the decisions, which are all presses except “Next”. */
  async listDecisions(): Promise<string[]> {
    return (await this.listPressed()).filter((text) => text !== 'Next');
  }
}
