import { Footprints } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { later } from '#ui/app/later.ts';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { useWizard } from '../WizardContext.ts';

const CrawlDialog = lazy(later(async () => ({ default: (await import('./CrawlDialog.tsx')).CrawlDialog })));

interface PagesAnswerProps {
  readonly label: string;
  readonly help: string;
  /** One path on each line. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | null;
}

const ROWS = 8;

/** A list of pages: written, or found by walking over the site. */
export function PagesAnswer({ label, help, value, onChange, error }: PagesAnswerProps) {
  const { state } = useWizard();
  const [isOpen, setOpen] = useState(false);
  const [target] = state.targets;
  return (
    <Stack gap={8}>
      <TextField label={label} help={help} value={value} onChange={onChange} error={error} rows={ROWS} code />
      <div>
        <Button size="small" icon={<Footprints />} onPress={() => setOpen(true)}>
          {words.wizard.crawl.open}
        </Button>
      </div>
      {isOpen && target ? (
        <Suspense>
          <CrawlDialog
            target={target}
            onUse={(paths) => {
              onChange(paths.join('\n'));
              setOpen(false);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </Stack>
  );
}
