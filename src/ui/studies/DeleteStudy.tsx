import { useLocation } from 'wouter';
import { useAction } from '../app/backend.ts';
import { AskToDelete } from '../components/Dialog.tsx';
import { words } from '../words/words.ts';

interface DeleteStudyProps {
  readonly studyId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Takes an answer away: it cannot be taken back. */
export function DeleteStudy({ studyId, isOpen, onClose }: DeleteStudyProps) {
  const remove = useAction('studies.remove', ['studies.list']);
  const [, navigate] = useLocation();
  const confirm = (): void => remove.mutate({ studyId }, { onSuccess: () => navigate('/find-out') });
  return <AskToDelete texts={words.studies.remove} isOpen={isOpen} onClose={onClose} removal={remove} onConfirm={confirm} />;
}
