import { FileUp } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from './Button.tsx';

interface ChooseFilesProps {
  readonly label: string;
  /** File name extensions with their dots. */
  readonly types: readonly string[];
  readonly allowsMultiple?: boolean;
  readonly look?: 'primary' | 'secondary';
  readonly onChoose: (files: readonly File[]) => void;
}

/** Button that opens the system's dialog to choose files. */
export function ChooseFiles({ label, types, allowsMultiple = false, look = 'secondary', onChoose }: ChooseFilesProps) {
  return (
    <FileTrigger
      acceptedFileTypes={types}
      allowsMultiple={allowsMultiple}
      onSelect={(files) => (files === null ? undefined : onChoose([...files]))}
    >
      <Button look={look} icon={<FileUp />}>
        {label}
      </Button>
    </FileTrigger>
  );
}
