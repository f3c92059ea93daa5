import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Check, Copy, Square } from 'lucide-react';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './Button.module.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  /** `primary`: the one act of the page. `danger`: stops or deletes. `quiet`: no border until pointed at. */
  readonly look?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small' | 'large';
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/**
 * A verb. A pending button keeps its place, its words and the focus, and takes no second press; what is waited for is said beside
 * it. (react-aria's own `isPending` announces through an element that names nothing once the button has gone.)
 */
export function Button({ look = 'secondary', size = 'normal', icon, children, isPending = false, onPress, ...rest }: ButtonProps) {
  const iconOnly = children === undefined || children === null;
  return (
    <AriaButton
      {...rest}
      data-pending={isPending || undefined}
      {...(onPress && !isPending ? { onPress } : {})}
      className={classes(styles.button, styles[look], styles[size], iconOnly && styles.iconOnly)}
    >
      {icon ? (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      {children}
    </AriaButton>
  );
}

interface LinkButtonProps {
  /** Route within the app, such as `/history`. */
  readonly to: string;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** Looks like a button, goes like a link: for what leads to another page. */
export function LinkButton({ to, look = 'secondary', icon, children }: LinkButtonProps) {
  return (
    <a className={classes(styles.button, styles[look], styles.normal)} href={`#${to}`}>
      {icon ? (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      {children}
    </a>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** What the button says; an icon-only button says it to screen readers. */
  readonly label?: string;
  readonly iconOnly?: boolean;
}

const CONFIRMED_MS = 2_000;

export function CopyButton({ text, label = words.common.copy, iconOnly = false }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const said = { ready: label, copied: words.common.copied, failed: words.common.copyFailed }[state];
  return (
    <Button
      look="quiet"
      size="small"
      icon={state === 'copied' ? <Check /> : <Copy />}
      aria-label={said}
      onPress={() => {
        navigator.clipboard.writeText(text).then(
          () => setState('copied'),
          () => setState('failed'),
        );
      }}
    >
      {iconOnly ? null : said}
    </Button>
  );
}

interface StopButtonProps {
  readonly texts: { readonly stop: string; readonly stopping: string };
  readonly isStopping: boolean;
  readonly isDisabled: boolean;
  readonly onStop: () => void;
}

/** The one red button. It asks nothing: what is stopped by mistake keeps what it measured. */
export function StopButton({ texts, isStopping, isDisabled, onStop }: StopButtonProps) {
  return (
    <Button look="danger" size="large" icon={<Square fill="currentColor" />} isDisabled={isDisabled || isStopping} onPress={onStop}>
      {isStopping ? texts.stopping : texts.stop}
    </Button>
  );
}
