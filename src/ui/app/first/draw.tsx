import { renderToString } from 'react-dom/server';
import '../withoutEval.ts';
import { readPreset } from '#core/presets/parse.ts';
import { App } from '../App.tsx';
import type { Connection } from '../connection.ts';
import { newQueries } from '../queries.ts';
import { offerOf, OFFERS_ID } from './offers.ts';

/** There is no backend while the page is built. */
const nobody: Connection = {
  state: 'connecting',
  subscribe: () => () => {},
  call: () => new Promise(() => {}),
  open: () => () => {},
  retryNow: () => {},
  close: () => {},
};

/**
 * For the build: the first screen as HTML, drawn by the components that later take it over, and what they need to draw the same. The page's policy refuses styles
 * within HTML: those of an element are in its `data-style`, and its code puts them into place (takeOver.ts). `sources`: the presets as YAML, in the order in which the
 * backend lists them. Throws where one has a problem.
 */
export function drawFirstScreen(sources: readonly string[]): { readonly root: string; readonly data: string } {
  const offers = sources.map((source) => {
    const { preset, issues } = readPreset(source);
    if (!preset || issues.length > 0) throw new Error('A preset has problems.', { cause: issues });
    return offerOf(preset);
  });
  const html = renderToString(<App connection={nobody} queries={newQueries(nobody)} draft={null} offers={offers} />);
  const data = JSON.stringify(offers).replaceAll('<', String.raw`\u003c`);
  return {
    root: html.replaceAll(/ style="/g, ' data-style="'),
    data: `<script id="${OFFERS_ID}" type="application/json">${data}</script>`,
  };
}
