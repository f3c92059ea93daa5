import type { Page } from '@playwright/test';
import type { LabAccount, LabAddress } from '#core/base/lab/listing.ts';
import type { Shop } from '../shop.ts';

export interface Place {
  /** Default targets of a test. */
  readonly urls: readonly string[];
  readonly addresses: readonly LabAddress[];
  readonly accounts: readonly LabAccount[];
  readonly shop: Shop;
}

export type Walk = (page: Page, place: Place) => Promise<void>;

export function urlOf({ urls }: Place, path: string, index = 0): string {
  return new URL(path, urls[index]).href;
}

/** Waits like a user who reads the page. */
export function read(page: Page, seconds = 0.7): Promise<void> {
  return page.waitForTimeout(seconds * 1_000);
}

/** Waits until everything that the page requests has loaded, and the browser has recorded it. */
export function settled(page: Page): Promise<void> {
  return page.waitForLoadState('networkidle');
}
