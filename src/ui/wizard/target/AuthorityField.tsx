import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { certificatesIn } from '#core/plan/certificates.ts';
import { Button } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';

interface AuthorityFieldProps {
  /** Number of certificates that are trusted instead of the public authorities. */
  readonly trusted: number;
  /** Called with PEM text that contains only certificates; empty: the public authorities. */
  readonly onChange: (authority: string) => void;
}

/** Field for the certificate of a private authority, pasted or from a file. A private key in the text never leaves this field. */
export function AuthorityField({ trusted, onChange }: AuthorityFieldProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const say = words.wizard.target.certificate;
  const trust = (pem: string): void => {
    const certificates = certificatesIn(pem);
    if (certificates.length === 0) {
      setError(say.noCertificate);
      return;
    }
    setText('');
    setError(null);
    onChange(`${certificates.join('\n')}\n`);
  };
  const readFile = async (files: FileList | null): Promise<void> => {
    const file = files?.item(0);
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) setError(say.noCertificate);
    else trust(await file.text());
  };
  if (trusted > 0)
    return (
      <Inline gap={12}>
        <output>{say.trusted(trusted)}</output>
        <Button size="small" onPress={() => onChange('')}>
          {say.trustPublic}
        </Button>
      </Inline>
    );
  return (
    <Stack gap={8}>
      <TextField
        label={say.authority}
        help={say.authorityHelp}
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={4}
        code
        value={text}
        error={error}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
      />
      <Inline gap={8}>
        <Button size="small" isDisabled={text.trim() === ''} onPress={() => trust(text)}>
          {say.trust}
        </Button>
        <FileTrigger acceptedFileTypes={['.pem', '.crt', '.cer']} onSelect={(files) => void readFile(files)}>
          <Button size="small" look="quiet" icon={<FileUp />}>
            {say.fromFile}
          </Button>
        </FileTrigger>
      </Inline>
    </Stack>
  );
}

/** Maximum size in a plan. */
const MAX_FILE_BYTES = 1_048_576;
