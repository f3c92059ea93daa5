import { Square } from 'lucide-react';
import { Button } from '../components/Button.tsx';
import { words } from '../words/words.ts';

interface StopButtonProps {
  readonly isStopping: boolean;
  readonly isDisabled: boolean;
  readonly onStop: () => void;
}

/** The one red button. It asks nothing: a test that is stopped by mistake keeps what it measured. */
export function StopButton({ isStopping, isDisabled, onStop }: StopButtonProps) {
  return (
    <Button look="danger" size="large" icon={<Square fill="currentColor" />} isDisabled={isDisabled || isStopping} onPress={onStop}>
      {isStopping ? words.live.stopping : words.live.stop}
    </Button>
  );
}
