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
/** Description of a preset in the list of presets. */
export type Offer = z.output<typeof offerSchema>;

export function getOffer({ id, title, story, needs, takesMinutes, lab, origin }: Preset): Offer {
  return { id, title, story, needs, takesMinutes, lab, origin };
}

/** Offers that the build embedded in the page. They are shown until the backend sends the current list. */
export const OffersContext = createContext<readonly Offer[] | null>(null);

export const useOffers = (): readonly Offer[] | null => useContext(OffersContext);

/** Id of the element that contains the embedded offers. */
export const OFFERS_ID = 'offers';

export function readOffers(page: Document): readonly Offer[] | null {
  const text = page.getElementById(OFFERS_ID)?.textContent;
  return z.array(offerSchema).safeParse(parseJson(text ?? '')).data ?? null;
}
