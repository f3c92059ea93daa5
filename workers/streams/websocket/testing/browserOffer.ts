import { type DeflateOffer, LEAN_OFFER } from '../permessageDeflate.ts';

/** The offer of browsers: context takeover on both sides, with up to 32 KiB per connection. */
export const BROWSER_OFFER: DeflateOffer = { ...LEAN_OFFER, serverNoContextTakeover: false, clientNoContextTakeover: false };
