import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Check, Copy, Square } from 'lucide-react';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import { copyText } from './copyText.ts';
import styles from './Button.module.css';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  /** `primary`: the main action of the page. `danger`: stops or deletes something. `quiet`: has no border until hovered. */
  readonly look?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small' | 'large';
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/**
 * A button. While an action is pending, the button keeps its position, label and focus, and ignores clicks. (react-aria's own `isPending`
 * announces the state through an element that has no name once the button was removed.)
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

/** A link to another page of the app that looks like a button. */
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
  /** Label of the button, which is the accessible name if only the icon is shown. */
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
  const shownLabel = { ready: label, copied: words.common.copied, failed: words.common.copyFailed }[state];
  return (
    <Button
      look="quiet"
      size="small"
      icon={state === 'copied' ? <Check /> : <Copy />}
      aria-label={shownLabel}
      onPress={() => {
        void copyText(text).then((isCopied) => setState(isCopied ? 'copied' : 'failed'));
      }}
    >
      {iconOnly ? null : shownLabel}
    </Button>
  );
}

/** A text for programs, such as an address, with a button that copies the text. */
export function CopyableText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className={styles.copied}>
      <code>{text}</code>
      <CopyButton iconOnly text={text} label={label} />
    </span>
  );
}

interface StopButtonProps {
  readonly texts: { readonly stop: string; readonly stopping: string };
  readonly isStopping: boolean;
  readonly isDisabled: boolean;
  readonly onStop: () => void;
}

/** Button that stops a run without confirmation, because a run that was stopped by mistake keeps its measurements. */
export function StopButton({ texts, isStopping, isDisabled, onStop }: StopButtonProps) {
  return (
    <Button look="danger" size="large" icon={<Square fill="currentColor" />} isDisabled={isDisabled || isStopping} onPress={onStop}>
      {isStopping ? texts.stopping : texts.stop}
    </Button>
  );
}
