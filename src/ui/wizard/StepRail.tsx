import { Check } from 'lucide-react';
import { classes } from '#ui/components/classes.ts';
import { words } from '#ui/words/words.ts';
import { laterLooks, pageLooks, pagePath } from './pages.tsx';
import { isBefore } from './state/reducer.ts';
import { WIZARD_PAGES, type WizardPageId } from './state/types.ts';
import styles from './StepRail.module.css';

/** Where one is and which pages may be opened; those behind a change have to be gone through again. */
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
        {laterLooks.map(({ rail, icon }) => (
          <li key={rail} className={styles.step}>
            <span className={classes(styles.mark, styles.later)}>
              <span className={styles.icon} aria-hidden="true">
                {icon}
              </span>
              <span className={styles.label}>{rail}</span>
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
