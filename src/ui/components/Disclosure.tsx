import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import { classes } from './classes.ts';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  readonly title: ReactNode;
  /** What is inside, in a few words, shown beside the title. */
  readonly summary?: ReactNode;
  readonly children: ReactNode;
  readonly isOpenAtFirst?: boolean;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly level?: 2 | 3 | 4;
}

/** Depth lies one of these below, never beside. */
export function Disclosure({ title, summary, children, isOpenAtFirst = false, isOpen, onOpenChange, level = 3 }: DisclosureProps) {
  return (
    <AriaDisclosure
      className={classes(styles.disclosure)}
      defaultExpanded={isOpenAtFirst}
      {...(isOpen === undefined ? {} : { isExpanded: isOpen })}
      {...(onOpenChange ? { onExpandedChange: onOpenChange } : {})}
    >
      <Heading level={level} className={classes(styles.heading)}>
        <Button slot="trigger" className={classes(styles.trigger)}>
          <ChevronRight size={16} aria-hidden="true" className={styles.chevron} />
          <span>{title}</span>
          {summary ? <span className={styles.summary}>{summary}</span> : null}
        </Button>
      </Heading>
      <DisclosurePanel className={classes(styles.panel)}>
        <div className={styles.content}>{children}</div>
      </DisclosurePanel>
    </AriaDisclosure>
  );
}
