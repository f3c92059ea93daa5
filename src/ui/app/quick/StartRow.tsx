import type { ReactNode } from 'react';
import type { HoldfastError } from '#core/base/errors.ts';
import { Button } from '#ui/components/Button.tsx';
import { AgreementProblem } from '../agreement/AgreementProblem.tsx';
import { HostProblem } from '../machines/HostProblem.tsx';

interface StartRowProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  /** State of the start action. */
  readonly start: { readonly error: HoldfastError | null; readonly isPending: boolean };
  readonly onPress: () => void;
  /** Called with further permissions if the start needs more than the form asks for. */
  readonly onAgree?: (keys: string[]) => void;
}

/** Last row of a form that starts a test: the error of the last attempt and the start button. */
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
