import type { Page } from 'playwright-core';
import type { Step } from '#core/plan/schema/step.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}

/** Number of accounts: those under load, and two that are recorded. */
export const ACCOUNTS = 12;

/** The journey of one kind of user: logs in, reads, searches, writes, logs out. */
export interface Journey {
  readonly id: string;
  /** `word`: a unique text. The load draws another one for each journey. */
  walk(page: Page, account: Account, word: string): Promise<void>;
  /** Returns whether a step of a plan writes. */
  writes(step: Step): boolean;
  /** Returns the number of these writes in the application's database. */
  stored(): Promise<number>;
}

/** An installation in a separate folder. */
export interface RunningSite {
  /** The start page. */
  readonly url: string;
  /** Created by the installation; no accounts of this machine. */
  readonly accounts: readonly Account[];
  readonly journeys: readonly Journey[];
  close(): Promise<void>;
}

/** A real application, installed from Debian or PyPI. */
export interface Site {
  readonly id: string;
  readonly title: string;
  /** Required files, and how to install them. */
  readonly needs: { readonly files: readonly string[]; readonly install: string };
  start(folder: string): Promise<RunningSite>;
}

/** Returns journeys with the same kind of writes, counted in the database: each with name and walk. */
export function journeysOf(walks: Readonly<Record<string, Journey['walk']>>, kept: Pick<Journey, 'writes' | 'stored'>): Journey[] {
  return Object.entries(walks).map(([id, walk]) => ({ id, walk, ...kept }));
}

/** Returns accounts for the users of a test. */
export function drawnAccounts(): Account[] {
  const draw = (): string => Math.random().toString(36).slice(2, 10);
  return Array.from({ length: ACCOUNTS }, (_, index) => ({ user: `visitor${index + 1}`, password: `Pw-${draw()}-${draw()}` }));
}
