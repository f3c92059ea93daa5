import { createContext, useContext } from 'react';
import { z } from 'zod';
import { parseJson } from '#core/base/json.ts';
import type { Preset } from '#core/presets/schema.ts';

const offerSchema = z.object({
  id: z.string(),
  title: z.string(),
  story: z.string(),
  needs: z.array(z.string()),
  takesMinutes: z.number(),
  lab: z.string().optional(),
  origin: z.string(),
});
/** What is said of a preset where one is chosen. */
export type Offer = z.output<typeof offerSchema>;

export function offerOf({ id, title, story, needs, takesMinutes, lab, origin }: Preset): Offer {
  return { id, title, story, needs, takesMinutes, lab, origin };
}

/** The offers that the build has put into the page: shown until the backend says which there are. */
export const OffersContext = createContext<readonly Offer[] | null>(null);

export const useOffers = (): readonly Offer[] | null => useContext(OffersContext);

/** Where the page holds its offers. */
export const OFFERS_ID = 'offers';

export function readOffers(page: Document): readonly Offer[] | null {
  const text = page.getElementById(OFFERS_ID)?.textContent;
  return z.array(offerSchema).safeParse(parseJson(text ?? '')).data ?? null;
}
