import { z } from 'zod';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { CliContext } from '../context.ts';
import type { HiddenInput } from '../input/hiddenInput.ts';
import { problemText } from '../output/problems.ts';

/** Maximum number of host keys that are confirmed for one connection. It may pass several jump hosts with unconfirmed keys. */
const MAX_HOST_KEYS = 8;

const shownSchema = z.object({ name: z.string(), fingerprint: z.string() });

/**
 * Runs `work`, which connects to a host. If the host key is unknown, shows it; once the user or a given fingerprint confirms the key, runs
 * `work` again. Throws what `work` throws, and `CANCELLED` if the user rejects the key.
 */
export async function withHostKey<Result>(
  work: () => Promise<Result>,
  client: Client,
  context: Pick<CliContext, 'hiddenInput'>,
  trusted?: string,
): Promise<Result> {
  for (let keys = 0; ; keys += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof HoldfastError) || thrown.code !== 'HOST_KEY_UNKNOWN' || keys >= MAX_HOST_KEYS) throw thrown;
      const { name, fingerprint } = shownSchema.parse(thrown.data);
      if (trusted === undefined) await requireTrust(thrown, context.hiddenInput);
      else if (trusted !== fingerprint) throw thrown;
      await client.call('hosts.trust', { keyName: name, fingerprint });
    }
  }
}

async function requireTrust(unknown: HoldfastError, hiddenInput: HiddenInput): Promise<void> {
  const reply = await hiddenInput(`${problemText(unknown)}Trust this key? Type yes (what you type is not shown)`).catch(
    (thrown: unknown) => {
      throw thrown instanceof HoldfastError && thrown.code === 'NO_TERMINAL' ? nobodyToAskError(unknown) : thrown;
    },
  );
  if (reply.trim().toLowerCase() === 'yes') return;
  throw new HoldfastError({ code: 'CANCELLED', message: 'The key was not trusted.', hint: 'Nothing was sent to the host or saved.' });
}

function nobodyToAskError({ message, hint, data }: HoldfastError): HoldfastError {
  const { fingerprint } = shownSchema.parse(data);
  return new HoldfastError({
    code: 'HOST_KEY_UNKNOWN',
    message,
    hint: `${hint}\nNo terminal to ask on. If the key is right: holdfast hosts test NAME --trust ${fingerprint}`,
    data,
  });
}
