import { type CacheFigures, cacheSentence, cacheWorth } from '#core/measurement/cache/figures.ts';

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
