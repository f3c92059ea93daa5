import { z } from 'zod';
import type { Problem } from '#core/base/errors.ts';
import { useAction } from '../backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { CopyButton } from '#ui/components/CopyButton.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';
import styles from './Machines.module.css';

const shownSchema = z.object({ name: z.string(), label: z.string(), type: z.string(), fingerprint: z.string() });
type Shown = z.infer<typeof shownSchema>;

/** The key that a person has to decide about; null for any other problem. */
export function unknownKey({ code, data }: Problem): Shown | null {
  return code === 'HOST_KEY_UNKNOWN' ? (shownSchema.safeParse(data).data ?? null) : null;
}

/** Shows the fingerprint of a key and asks whether it is the right one. */
export function UnknownKey({ shown, onTrusted }: { readonly shown: Shown; readonly onTrusted: () => void }) {
  const trust = useAction('hosts.trust');
  const say = words.hosts.unknown;
  const { name, label, type, fingerprint } = shown;
  const decide = (): void => trust.mutate({ keyName: name, fingerprint }, { onSuccess: onTrusted });
  return (
    <Stack gap={12}>
      <Banner
        tone="inconclusive"
        announce="alert"
        title={say.title(label)}
        actions={
          <Button isPending={trust.isPending} onPress={decide}>
            {say.trust}
          </Button>
        }
      >
        <p>{say.fingerprint(type)}</p>
        <p className={styles.fingerprint}>
          <code>{fingerprint}</code>
          <CopyButton iconOnly text={fingerprint} label={say.copy} />
        </p>
        <p>
          {say.text} <code>ssh-keygen -l -f /etc/ssh/ssh_host_{fileOf(type)}_key.pub</code>
        </p>
      </Banner>
      {trust.error ? <ProblemBanner problem={trust.error} onRetry={onTrusted} /> : null}
    </Stack>
  );
}

/** As OpenSSH names the files of its keys. */
function fileOf(type: string): string {
  return type.startsWith('ecdsa') ? 'ecdsa' : type.replace(/^ssh-/, '');
}
