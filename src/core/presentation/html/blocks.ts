import { evidenceLines } from '../evidenceLines.ts';
import type { Block, BlockOf } from '../document/model.ts';
import { findingParts, verdictParts } from '../document/words.ts';
import type { Verdict } from '#core/result/schema.ts';
import { barsFigure } from './bars.ts';
import { chartFigure } from './chartSvg.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { heatmapFigure, percentilesFigure } from './spreadSvg.ts';

/** One block of a report as HTML. `id` is unique in the document. */
export function blockHtml(block: Block, id: string): Markup {
  switch (block.kind) {
    case 'verdict':
      return verdict(block);
    case 'tiles':
      return markup`<ul class="tiles">${block.tiles.map(({ name, value, note }) => markup`<li><span>${name}</span><strong>${value}</strong><span>${note}</span></li>`)}</ul>`;
    case 'heading':
      return markup`<h3>${block.text}</h3>`;
    case 'text':
      return markup`<p>${block.text}</p>`;
    case 'list':
      return markup`<h3>${block.title}</h3><ul>${block.items.map((item) => markup`<li>${item}</li>`)}</ul>`;
    case 'pairs':
      return markup`<h3>${block.title}</h3><dl>${block.pairs.map(([name, text]) => markup`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`;
    case 'table':
      return table(block);
    case 'chart':
      return chartFigure(block.chart, block.size, id);
    case 'bars':
      return barsFigure(block);
    case 'percentiles':
      return percentilesFigure(block);
    case 'heatmap':
      return heatmapFigure(block);
    case 'finding':
      return finding(block);
    case 'code':
      return markup`<h3>${block.title}</h3><pre><code>${block.text}</code></pre>`;
    default:
      return block satisfies never;
  }
}

/** Drawn, not letters: no font has to know them. Shape and word say what the colour says. */
const MARKS: Readonly<Record<Verdict['outcome'], Markup>> = {
  holds: markup`<path d="M7 13.5l4 4 8-9"/>`,
  breaks: markup`<path d="M8 8l10 10M18 8L8 18"/>`,
  inconclusive: markup`<path d="M7 13h12"/>`,
  measured: markup`<path d="M8 18v-5M13 18V8M18 18v-7"/>`,
};

function verdict(block: BlockOf<'verdict'>): Markup {
  const { outcome } = block;
  const { title, rest } = verdictParts(block);
  return markup`<div class="verdict ${outcome}"><svg aria-hidden="true" viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2.4"><circle cx="13" cy="13" r="11.5"/>${MARKS[outcome]}</svg><p><strong>${title}</strong>${rest}</p></div>`;
}

/** With more columns than this, letters have to be smaller to fit a page. */
const WIDE = 7;

function table({ title, columns, rows, note }: BlockOf<'table'>): Markup {
  const head = columns.map(({ name, numeric }) => markup`<th scope="col"${numeric === true ? NUMBER : NOTHING}>${name}</th>`);
  const body = rows.map(
    (row) =>
      markup`<tr>${row.map((cell, index) => {
        const numeric = columns[index]?.numeric === true;
        return index === 0 && !numeric
          ? markup`<th scope="row">${cell}</th>`
          : markup`<td${numeric ? (cell.length > LONGEST_NUMBER ? LONG_NUMBER : NUMBER) : NOTHING}>${numeric ? figureText(cell) : cell}</td>`;
      })}</tr>`,
  );
  const wide = columns.length >= WIDE ? markup` class="wide"` : NOTHING;
  const scroll = rows.length < SHORT ? 'scroll short' : 'scroll';
  return markup`<div class="${scroll}"><table${wide}><caption>${title}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${note === undefined ? NOTHING : markup`<p class="note">${note}</p>`}`;
}

const NUMBER = markup` class="number"`;
const LONG_NUMBER = markup` class="number long"`;
/** A number is not broken; what is longer is a sentence in its place. */
const LONGEST_NUMBER = 16;
/** A table of fewer rows stays on one page. */
const SHORT = 14;

/** “96.2/s (95.7/s to 96.3/s)”. */
const SPREAD = /^([^(]{1,16}) (\([^()]{1,32} to [^()]{1,32}\))$/;

/** A figure may stand above its spread; neither is broken. */
function figureText(cell: string): string {
  const [, middle, spread] = SPREAD.exec(cell) ?? [];
  return middle === undefined || spread === undefined ? cell : `${unbroken(middle)} ${unbroken(spread)}`;
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

function finding({ number, finding: found }: BlockOf<'finding'>): Markup {
  const { level, sentence, remedy } = found;
  const { title, rest } = findingParts(found);
  return markup`<section class="finding ${level}"><h3>${number}. ${sentence}</h3><p class="note"><span class="level">${title}</span>${rest}</p><ul>${evidenceLines(found).map((line) => markup`<li>${line}</li>`)}</ul><p>${remedy}</p></section>`;
}
