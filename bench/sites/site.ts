import type { Page } from 'playwright-core';
import type { Step } from '#core/plan/schema/step.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}

/** An installation of its own, in a folder of its own. */
export interface RunningSite {
  /** The start page. */
  readonly url: string;
  /** Made by the installation; none of them is an account of this machine. */
  readonly accounts: readonly Account[];
  /** What a person does: logs in, reads, searches, writes, logs out. */
  walk(page: Page, account: Account): Promise<void>;
  /** How many writes its database holds. */
  stored(): Promise<number>;
  close(): Promise<void>;
}

/** An application that people run, installed from Debian or PyPI. */
export interface Site {
  readonly id: string;
  readonly title: string;
  /** Files that must be there, and what installs them. */
  readonly needs: { readonly files: readonly string[]; readonly install: string };
  /** Which steps of a plan write. */
  writes(step: Step): boolean;
  start(folder: string): Promise<RunningSite>;
}
