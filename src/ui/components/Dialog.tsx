import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { Problem } from '#core/base/errors.ts';
import { classes } from './classes.ts';
import { Button } from './Button.tsx';
import { ProblemBanner } from './Banner.tsx';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons; the one that continues comes last. */
  readonly actions: ReactNode;
  /** `alertdialog` for a question that blocks everything else. */
  readonly role?: 'dialog' | 'alertdialog';
  /** Makes room for a table. */
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

interface AskToDeleteProps {
  readonly texts: Readonly<Record<'title' | 'story' | 'cancel' | 'confirm', string>>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly removal: { readonly isPending: boolean; readonly error: Problem | null };
  readonly onConfirm: () => void;
}

/** Confirmation before something is deleted permanently. */
export function AskToDelete({ texts, isOpen, onClose, removal, onConfirm }: AskToDeleteProps) {
  const actions = (
    <>
      <Button onPress={onClose}>{texts.cancel}</Button>
      <Button look="danger" isPending={removal.isPending} onPress={onConfirm}>
        {texts.confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={texts.title} role="alertdialog" isOpen={isOpen} onClose={onClose} actions={actions}>
      <p>{texts.story}</p>
      {removal.error ? <ProblemBanner problem={removal.error} /> : null}
    </Dialog>
  );
}
