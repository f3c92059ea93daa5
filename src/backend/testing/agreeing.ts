import { z } from 'zod';
import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { askKey, askSchema } from '#core/review/asks/ask.ts';
import { HoldfastError } from '#core/base/errors.ts';

const neededSchema = z.object({ asks: z.array(askSchema) });

/** Returns a client that agrees to everything that the plans of a test ask for. Calls with explicit agreements are passed on unchanged. */
export function agreeToEverything(client: Client): Client {
  async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
    try {
      return await client.call(name, input);
    } catch (thrown) {
      if (!(thrown instanceof HoldfastError) || thrown.code !== 'AGREEMENT_NEEDED' || 'agreed' in input) throw thrown;
      return client.call(name, { ...input, agreed: neededSchema.parse(thrown.data).asks.map(askKey) });
    }
  }
  return { ...client, call };
}
