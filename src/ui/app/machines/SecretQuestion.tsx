import { useState } from 'react';
import { z } from 'zod';
import type { CallInput } from '#contract/api.ts';
import type { Problem } from '#core/base/errors.ts';
import { useAction } from '../backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { TextField } from '#ui/components/TextField.tsx';
import { words } from '#ui/words/words.ts';

type Question = CallInput<'hosts.answer'>['question'];

const askedSchema = z.object({
  question: z.object({ kind: z.enum(['password', 'passphrase', 'prompt']), host: z.string(), label: z.string() }),
});

/** What the host wants to know; null for any other problem. */
export function secretAsked({ code, data }: Problem): Question | null {
  return code === 'HOST_SECRET_NEEDED' ? (askedSchema.safeParse(data).data?.question ?? null) : null;
}

/** Asks for a password, a passphrase, or what a host asks for itself. */
export function SecretQuestion({ question, onAnswered }: { readonly question: Question; readonly onAnswered: () => void }) {
  const [value, setValue] = useState('');
  const answer = useAction('hosts.answer');
  const say = words.hosts.secret;
  const go = (): void => {
    if (value !== '') answer.mutate({ question, value }, { onSuccess: onAnswered });
  };
  return (
    <Stack gap={12}>
      <Banner tone="accent" announce="status" title={say.title(question.host)}>
        {say.help}
      </Banner>
      <TextField label={capital(question.label)} type="password" value={value} onChange={setValue} onEnter={go} />
      <div>
        <Button look="primary" isPending={answer.isPending} isDisabled={value === ''} onPress={go}>
          {say.go}
        </Button>
      </div>
      {answer.error ? <ProblemBanner problem={answer.error} onRetry={go} /> : null}
    </Stack>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
