import { useLocation } from 'wouter';
import { useAction } from '../app/backend.ts';
import { AskToDelete } from '../components/AskToDelete.tsx';
import { words } from '../words/words.ts';

/** Takes an answer away: it cannot be taken back. */
export function DeleteStudy({ studyId }: { readonly studyId: string }) {
  const remove = useAction('studies.remove', ['studies.list']);
  const [, navigate] = useLocation();
  const confirm = (): void => remove.mutate({ studyId }, { onSuccess: () => navigate('/find-out') });
  return <AskToDelete texts={words.studies.remove} removal={remove} onConfirm={confirm} />;
}
