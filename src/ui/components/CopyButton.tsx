import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { words } from '../words/words.ts';
import { Button } from './Button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What the button says; an icon-only button says it to screen readers. */
  readonly label?: string;
  readonly iconOnly?: boolean;
}

const CONFIRMED_MS = 2_000;

export function CopyButton({ text, label = words.common.copy, iconOnly = false }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const said = { ready: label, copied: words.common.copied, failed: words.common.copyFailed }[state];
  return (
    <Button
      look="quiet"
      size="small"
      icon={state === 'copied' ? <Check /> : <Copy />}
      aria-label={said}
      onPress={() => {
        navigator.clipboard.writeText(text).then(
          () => setState('copied'),
          () => setState('failed'),
        );
      }}
    >
      {iconOnly ? null : said}
    </Button>
  );
}
