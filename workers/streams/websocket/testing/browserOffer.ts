import { type DeflateOffer, LEAN_OFFER } from '../permessageDeflate.ts';

/** What browsers offer: servers keep their context for each connection, and we keep up to 32 KiB of each. */
export const BROWSER_OFFER: DeflateOffer = { ...LEAN_OFFER, serverNoContextTakeover: false, clientNoContextTakeover: false };
