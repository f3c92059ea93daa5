import { BadgeCheck, ChartArea, CircleQuestionMark, ListChecks, Play, Server, Waypoints } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '#ui/words/words.ts';
import { isBefore } from './state/reducer.ts';
import { WIZARD_PAGES, type WizardPageId } from './state/types.ts';

interface PageLook {
  readonly rail: string;
  readonly title: string;
  readonly story: string;
  readonly icon: ReactNode;
  readonly next: string;
}

/** Words and icons of the wizard's pages. Their order is that of WIZARD_PAGES. */
export const pageLooks: Record<WizardPageId, PageLook> = {
  question: { ...words.wizard.pages.question, icon: <CircleQuestionMark />, next: words.wizard.next },
  target: { ...words.wizard.pages.target, icon: <Server />, next: words.wizard.next },
  load: { ...words.wizard.pages.load, icon: <ChartArea />, next: words.wizard.next },
  where: { ...words.wizard.pages.where, icon: <Waypoints />, next: words.wizard.next },
  check: { ...words.wizard.pages.check, icon: <ListChecks />, next: words.wizard.start },
};

/** What comes after the wizard, under the address of the run. */
export const laterLooks = [
  { ...words.wizard.pages.run, icon: <Play /> },
  { ...words.wizard.pages.result, icon: <BadgeCheck /> },
];

/** The pages that Next and Back lead through. Where there is no choice of machines, Where is reached by its step only. */
function pagesToTurn(hasMachines: boolean): readonly WizardPageId[] {
  return hasMachines ? WIZARD_PAGES : WIZARD_PAGES.filter((id) => id !== 'where');
}

export function pageAfter(page: WizardPageId, hasMachines: boolean): WizardPageId | null {
  return pagesToTurn(hasMachines).find((id) => isBefore(page, id)) ?? null;
}

export function pageBefore(page: WizardPageId, hasMachines: boolean): WizardPageId | null {
  return pagesToTurn(hasMachines).findLast((id) => isBefore(id, page)) ?? null;
}

export function pagePath(page: WizardPageId): string {
  return page === 'question' ? '/new' : `/new/${page}`;
}
