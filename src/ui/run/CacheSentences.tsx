import type { CacheFigures } from '#core/measurement/cache/figures.ts';
import { cacheSentence, cacheWorth } from '#core/measurement/cache/words.ts';

/** How many answers came from a cache, and what it is worth. */
export function CacheSentences({ figures }: { readonly figures: CacheFigures }) {
  const worth = cacheWorth(figures);
  return (
    <>
      <p>{cacheSentence(figures)}</p>
      {worth === '' ? null : <p>{worth}</p>}
    </>
  );
}
