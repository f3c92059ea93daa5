import type { ReactNode } from 'react';
import type { HoldfastError } from '#core/base/errors.ts';
import { Button } from '#ui/components/Button.tsx';
import { AgreementProblem } from '../agreement/AgreementProblem.tsx';
import { HostProblem } from '../machines/HostProblem.tsx';

interface StartRowProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  /** The start itself: whether it is under way, and why the last one was refused. */
  readonly start: { readonly error: HoldfastError | null; readonly isPending: boolean };
  readonly onPress: () => void;
  /** Given what was agreed to, where the start may ask for more than its form does. */
  readonly onAgree?: (keys: string[]) => void;
}

/** The foot of a form that starts at once: why a start was refused, with the way out of it, and the button. */
export function StartRow({ label, icon, isDisabled, start: { error, isPending }, onPress, onAgree }: StartRowProps) {
  return (
    <>
      {error === null ? null : error.code === 'AGREEMENT_NEEDED' && onAgree !== undefined ? (
        <AgreementProblem problem={error} onAgree={onAgree} />
      ) : (
        <HostProblem problem={error} onAgain={onPress} />
      )}
      <div>
        <Button look="primary" icon={icon} isDisabled={isDisabled} isPending={isPending} onPress={onPress}>
          {label}
        </Button>
      </div>
    </>
  );
}
