import { Download } from 'lucide-react';
import { useAction } from '../backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';

/** Offers to copy Node to a host without it. Nothing is downloaded before the user agrees. */
export function NodeOffer({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const install = useAction('hosts.installNode');
  const say = words.hosts.node;
  const begin = (): void => install.mutate({ name }, { onSuccess: onDone });
  return (
    <Stack gap={12}>
      <Banner
        tone="info"
        actions={
          <Button icon={<Download />} isPending={install.isPending} onPress={begin}>
            {say.install}
          </Button>
        }
      >
        {install.isPending ? <span aria-live="polite">{words.common.waitingFor(say.installing(name))}</span> : say.offer}
      </Banner>
      {install.error ? <ProblemBanner problem={install.error} onRetry={begin} /> : null}
    </Stack>
  );
}
