import { ChartArea, Check, CircleQuestionMark, ListChecks, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '#ui/words/words.ts';
import { classes } from '#ui/components/classes.ts';
import { isBefore } from './state/reducer.ts';
import { WIZARD_PAGES, type WizardPageId } from './state/types.ts';
import styles from './StepRail.module.css';

interface PageLook {
  readonly rail: string;
  readonly title: string;
  readonly story: string;
  readonly icon: ReactNode;
  readonly next: string;
}

/** Texts and icons of the wizard's pages. */
export const pageLooks: Record<WizardPageId, PageLook> = {
  question: { ...words.wizard.pages.question, icon: <CircleQuestionMark />, next: words.wizard.next },
  target: { ...words.wizard.pages.target, icon: <Server />, next: words.wizard.next },
  load: { ...words.wizard.pages.load, icon: <ChartArea />, next: words.wizard.next },
  check: { ...words.wizard.pages.check, icon: <ListChecks />, next: words.wizard.start },
};

export function pageAfter(page: WizardPageId): WizardPageId | null {
  return WIZARD_PAGES.find((id) => isBefore(page, id)) ?? null;
}

export function pageBefore(page: WizardPageId): WizardPageId | null {
  return WIZARD_PAGES.findLast((id) => isBefore(id, page)) ?? null;
}

export function pagePath(page: WizardPageId): string {
  return page === 'question' ? '/new' : `/new/${page}`;
}

/** Navigation of the wizard. After a change, later pages must be visited again before the navigation can open them. */
export function StepRail({ page, reached }: { readonly page: WizardPageId; readonly reached: WizardPageId }) {
  return (
    <nav aria-label={words.wizard.steps}>
      <ol className={styles.rail}>
        {WIZARD_PAGES.map((id) => {
          const { rail, icon } = pageLooks[id];
          const isDone = isBefore(id, page) || (isBefore(id, reached) && id !== page);
          const content = (
            <>
              <span className={styles.icon} aria-hidden="true">
                {isDone ? <Check /> : icon}
              </span>
              <span className={styles.label}>{rail}</span>
            </>
          );
          return (
            <li key={id} className={styles.step}>
              {isBefore(reached, id) ? (
                <span className={classes(styles.mark, styles.later)}>{content}</span>
              ) : (
                <a
                  className={classes(styles.mark, id === page && styles.current)}
                  href={`#${pagePath(id)}`}
                  aria-current={id === page ? 'step' : undefined}
                >
                  {content}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
