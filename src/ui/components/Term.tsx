import { useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { words, type TermName } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './Term.module.css';

interface TermProps {
  readonly name: TermName;
  /** The word as used in the sentence; default: the term's usual name. */
  readonly children?: ReactNode;
}

/** A technical term with a dotted underline. Hovering over it, focusing it or pressing it shows an explanation of one sentence. */
export function Term({ name, children }: TermProps) {
  const term = words.terms[name];
  return <Explained explanation={term.explanation}>{children ?? term.plain}</Explained>;
}

/** Works like {@link Term}, for an explanation that is not in the glossary, such as the formula of a preset. */
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
