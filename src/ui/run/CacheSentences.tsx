import type { CacheFigures } from '#core/cache/figures.ts';
import { cacheSentence, cacheWorth } from '#core/cache/words.ts';

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
