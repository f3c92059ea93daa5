import { Square } from 'lucide-react';
import { Button } from './Button.tsx';

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
