import type { Page } from '@playwright/test';
import type { LabAccount, LabAddress } from '#core/base/lab/listing.ts';
import type { Shop } from '../shop.ts';

export interface Place {
  /** Where a test would be aimed at. */
  readonly urls: readonly string[];
  readonly addresses: readonly LabAddress[];
  readonly accounts: readonly LabAccount[];
  readonly shop: Shop;
}

export type Walk = (page: Page, place: Place) => Promise<void>;

export function urlOf({ urls }: Place, path: string, index = 0): string {
  return new URL(path, urls[index]).href;
}

/** Somebody looks at the page for a while. */
export function read(page: Page, seconds = 0.7): Promise<void> {
  return page.waitForTimeout(seconds * 1_000);
}

/** What is loaded after the page is there too, and the browser has written it down. */
export function settled(page: Page): Promise<void> {
  return page.waitForLoadState('networkidle');
}
