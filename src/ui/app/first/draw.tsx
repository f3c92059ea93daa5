import { renderToString } from 'react-dom/server';
import '../withoutEval.ts';
import { readPreset } from '#core/presets/parse.ts';
import { App } from '../App.tsx';
import type { Connection } from '#ui/shared/connection.ts';
import { newQueries } from '../queries.ts';
import { getOffer, OFFERS_ID } from '#ui/shared/offers.ts';

/** A connection without a backend, for rendering at build time. */
const NO_BACKEND: Connection = {
  state: 'connecting',
  subscribe: () => () => {},
  call: () => new Promise(() => {}),
  open: () => () => {},
  retryNow: () => {},
  close: () => {},
};

/**
 * Renders the first screen as HTML at build time, and returns the data that the same components need to hydrate the HTML. The content
 * security policy forbids inline styles, so styles are in `data-style` and applied by `mountApp` (main.tsx). `sources` are the presets as
 * YAML, in the order in which the backend lists them. Throws if a preset has a problem.
 */
export function drawFirstScreen(sources: readonly string[]): { readonly root: string; readonly data: string } {
  const offers = sources.map((source) => {
    const { preset, issues } = readPreset(source);
    if (!preset || issues.length > 0) throw new Error('A preset has problems.', { cause: issues });
    return getOffer(preset);
  });
  const html = renderToString(<App connection={NO_BACKEND} queries={newQueries(NO_BACKEND)} draft={null} offers={offers} />);
  const data = JSON.stringify(offers).replaceAll('<', String.raw`\u003c`);
  return {
    root: html.replaceAll(/ style="/g, ' data-style="'),
    data: `<script id="${OFFERS_ID}" type="application/json">${data}</script>`,
  };
}
