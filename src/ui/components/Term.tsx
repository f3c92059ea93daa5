import { useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { words } from '../words/words.ts';
import type { TermName } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './Term.module.css';

interface TermProps {
  readonly name: TermName;
  /** The word as it stands in the sentence; left out, the term's plain name. */
  readonly children?: ReactNode;
}

/** A word of the field with a dotted underline; pointing at it, focusing it or pressing it explains it in one sentence. */
export function Term({ name, children }: TermProps) {
  const term = words.terms[name];
  return <Explained explanation={term.explanation}>{children ?? term.plain}</Explained>;
}

/** The same for an explanation that is not in the glossary, such as a formula of a preset. */
export function Explained({ explanation, children }: { readonly explanation: ReactNode; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <TooltipTrigger delay={200} closeDelay={100} isOpen={isOpen} onOpenChange={setOpen}>
      <Button className={classes(styles.term)} onPress={() => setOpen(true)}>
        {children}
      </Button>
      <Tooltip className={classes(styles.explanation)} offset={6}>
        {explanation}
      </Tooltip>
    </TooltipTrigger>
  );
}
