import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { Problem } from '#core/base/errors.ts';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import { Button } from './Button.tsx';
import { ProblemBanner } from './Banner.tsx';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons of the dialog. The one that continues comes last. */
  readonly actions: ReactNode;
  /** `alertdialog` is for a question that blocks everything else. */
  readonly role?: 'dialog' | 'alertdialog';
  /** Whether the dialog is wide enough for a table. */
  readonly isWide?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, actions, role = 'dialog', isWide = false }: DialogProps) {
  return (
    <ModalOverlay
      className={classes(styles.scrim)}
      isOpen={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      isDismissable={role === 'dialog'}
    >
      <Modal className={classes(styles.modal, isWide && styles.wide)}>
        <AriaDialog className={classes(styles.dialog)} role={role}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <div className={styles.body}>{children}</div>
          <div className={styles.actions}>{actions}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Label of the button that confirms. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  readonly look?: 'primary' | 'danger';
  /** Whether a click outside closes the dialog. A question that must be answered stays open. */
  readonly isDismissable?: boolean;
}

/** A dialog with a cancel button and a button that confirms. */
export function Confirm({ confirm, onConfirm, isPending = false, look = 'primary', isDismissable = false, ...dialog }: ConfirmProps) {
  const actions = (
    <>
      <Button onPress={dialog.onClose}>{words.common.cancel}</Button>
      <Button look={look} isPending={isPending} onPress={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return <Dialog {...dialog} role={isDismissable ? 'dialog' : 'alertdialog'} actions={actions} />;
}

interface AskToDeleteProps {
  readonly texts: Readonly<Record<'title' | 'story' | 'confirm', string>>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly removal: { readonly isPending: boolean; readonly error: Problem | null };
  readonly onConfirm: () => void;
}

/** Asks for confirmation before something is deleted permanently. */
export function AskToDelete({ texts, removal, ...dialog }: AskToDeleteProps) {
  return (
    <Confirm {...dialog} title={texts.title} confirm={texts.confirm} look="danger" isPending={removal.isPending}>
      <p>{texts.story}</p>
      {removal.error ? <ProblemBanner problem={removal.error} /> : null}
    </Confirm>
  );
}
