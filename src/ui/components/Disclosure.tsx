import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import { classes } from './classes.ts';
import { useAfterFirstPaint } from './Placeholders.tsx';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  readonly title: ReactNode;
  /** Short summary of the content, shown next to the title. */
  readonly summary?: ReactNode;
  readonly children: ReactNode;
  readonly isOpenAtFirst?: boolean;
  /**
   * Keeps the section open, for example while its content has an error. The section then stays open afterwards, because content must not
   * collapse while a user reads it.
   */
  readonly isHeldOpen?: boolean;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly level?: 2 | 3 | 4;
}

/** Section for details that can be collapsed. */
export function Disclosure({
  title,
  summary,
  children,
  isOpenAtFirst = false,
  isHeldOpen = false,
  isOpen,
  onOpenChange,
  level = 3,
}: DisclosureProps) {
  const [isOpened, setOpened] = useState(isOpenAtFirst);
  if (isHeldOpen && !isOpened) setOpened(true);
  const isExpanded = isHeldOpen || (isOpen ?? isOpened);
  // Collapsed content is rendered too, after the visible content, so that the browser's text search finds it.
  const isDue = useAfterFirstPaint();
  return (
    <AriaDisclosure
      className={classes(styles.disclosure)}
      isExpanded={isExpanded}
      onExpandedChange={(next) => {
        setOpened(next);
        onOpenChange?.(next);
      }}
    >
      <Heading level={level} className={classes(styles.heading)}>
        <Button slot="trigger" className={classes(styles.trigger)}>
          <ChevronRight size={16} aria-hidden="true" className={styles.chevron} />
          <span>{title}</span>
          {summary ? <span className={styles.summary}>{summary}</span> : null}
        </Button>
      </Heading>
      <DisclosurePanel className={classes(styles.panel)}>
        <div className={styles.content}>{isDue || isExpanded ? children : null}</div>
      </DisclosurePanel>
    </AriaDisclosure>
  );
}
