import { FileUp } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useState } from 'react';
import { MAX_KEPT_CHARACTERS } from '#contract/api.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';

interface FileFieldProps {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly error?: string | null;
}

const TYPES = ['.csv', '.tsv', '.txt'];

/** Field for the path of a file on Holdfast's computer. A file that is chosen or dropped is copied to that computer. */
export function FileField({ label, help, value, onChange, error = null }: FileFieldProps) {
  const keep = useAction('files.keep');
  const [isTooLarge, setTooLarge] = useState(false);
  const fileWords = words.wizard.file;
  const readFile = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    const isLarge = file.size > MAX_KEPT_CHARACTERS;
    setTooLarge(isLarge);
    if (!isLarge) keep.mutate({ name: file.name, text: await file.text() }, { onSuccess: ({ path }) => onChange(path) });
  };
  const change = (path: string): void => {
    setTooLarge(false);
    keep.reset();
    onChange(path);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- [whoever cannot drop a file chooses it by the button]
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void readFile(event.dataTransfer.files.item(0));
      }}
    >
      <Stack gap={8}>
        <TextField label={label} help={`${help} ${fileWords.help}`} value={value} onChange={change} error={error} code />
        <div>
          <FileTrigger acceptedFileTypes={TYPES} onSelect={(files) => void readFile(files?.item(0))}>
            <Button size="small" icon={<FileUp />} isPending={keep.isPending}>
              {words.wizard.question.pasteChoose}
            </Button>
          </FileTrigger>
        </div>
        {isTooLarge ? <Banner tone="inconclusive">{fileWords.tooLarge}</Banner> : null}
        {keep.error ? <ProblemBanner problem={keep.error} /> : null}
      </Stack>
    </div>
  );
}
