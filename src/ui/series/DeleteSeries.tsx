import { useLocation } from 'wouter';
import { useAction } from '../app/backend.ts';
import { AskToDelete } from '../components/Dialog.tsx';
import { words } from '../words/words.ts';

interface DeleteSeriesProps {
  readonly seriesId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Takes a series away: unlike a run, its table cannot be taken back. */
export function DeleteSeries({ seriesId, isOpen, onClose }: DeleteSeriesProps) {
  const remove = useAction('series.remove', ['runs.list']);
  const [, navigate] = useLocation();
  const confirm = (): void => remove.mutate({ seriesId }, { onSuccess: () => navigate('/history') });
  return <AskToDelete texts={words.series.remove} isOpen={isOpen} onClose={onClose} removal={remove} onConfirm={confirm} />;
}
