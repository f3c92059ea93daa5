import { useLocation } from 'wouter';
import { useAction } from '../app/backend.ts';
import { AskToDelete } from '../components/AskToDelete.tsx';
import { words } from '../words/words.ts';

/** Takes a series away: unlike a run, its table cannot be taken back. */
export function DeleteSeries({ seriesId }: { readonly seriesId: string }) {
  const remove = useAction('series.remove', ['runs.list']);
  const [, navigate] = useLocation();
  const confirm = (): void => remove.mutate({ seriesId }, { onSuccess: () => navigate('/history') });
  return <AskToDelete texts={words.series.remove} removal={remove} onConfirm={confirm} />;
}
