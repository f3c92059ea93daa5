import { STUDY_PREFIX } from '#core/search/result.ts';
import { words } from '../words/words.ts';

/** Where the series or the search is found that runs are part of, and how it is called in a list and on the page of one of them. */
export function groupLink({ id }: { readonly id: string }) {
  const isStudy = id.startsWith(STUDY_PREFIX);
  const { inHistory, partOf } = isStudy ? words.studies : words.series;
  return { to: `#/${isStudy ? 'studies' : 'series'}/${id}`, inHistory, partOf };
}
