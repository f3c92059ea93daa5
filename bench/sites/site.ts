import type { Page } from 'playwright-core';
import type { Step } from '#core/plan/schema/step.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}

/** Accounts of a journey under load, and two that are recorded. */
export const ACCOUNTS = 12;

/** What one kind of person does: logs in, reads, searches, writes, logs out. */
export interface Journey {
  readonly id: string;
  /** `word`: a text that nobody has entered before. The load draws another one for each journey. */
  walk(page: Page, account: Account, word: string): Promise<void>;
  /** Which steps of a plan write. */
  writes(step: Step): boolean;
  /** How many of these writes the database of the application holds. */
  stored(): Promise<number>;
}

/** An installation of its own, in a folder of its own. */
export interface RunningSite {
  /** The start page. */
  readonly url: string;
  /** Made by the installation; none of them is an account of this machine. */
  readonly accounts: readonly Account[];
  readonly journeys: readonly Journey[];
  close(): Promise<void>;
}

/** An application that people run, installed from Debian or PyPI. */
export interface Site {
  readonly id: string;
  readonly title: string;
  /** Files that must be there, and what installs them. */
  readonly needs: { readonly files: readonly string[]; readonly install: string };
  start(folder: string): Promise<RunningSite>;
}

/** Journeys whose writes are known, and counted in the database, in the same way: each with its name and its walk. */
export function journeysOf(walks: Readonly<Record<string, Journey['walk']>>, kept: Pick<Journey, 'writes' | 'stored'>): Journey[] {
  return Object.entries(walks).map(([id, walk]) => ({ id, walk, ...kept }));
}

/** Accounts for the persons of a test. */
export function drawnAccounts(): Account[] {
  const draw = (): string => Math.random().toString(36).slice(2, 10);
  return Array.from({ length: ACCOUNTS }, (_, index) => ({ user: `visitor${index + 1}`, password: `Pw-${draw()}-${draw()}` }));
}
