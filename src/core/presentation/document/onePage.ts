import { formatCount } from '#core/base/units.ts';
import type { Block, Report } from './model.ts';

/** Maximum number of items of a list on the page; the whole report has all. */
const MAX_ITEMS = 4;
const MAX_LISTS = 3;
const MAX_TEXTS = 3;
/** A longer table would leave no space for the rest. */
const MAX_ROWS = 9;

/** Returns only a summary on one page: verdict, key figures, reasons, the main chart and next steps. */
export function onePage(report: Report): Report {
  const [answer] = report.sections;
  if (answer === undefined) return report;
  const main = mainPicture(answer.blocks);
  const counts = { list: 0, text: 0, table: 0 };
  const isAmong = (kind: keyof typeof counts, max: number): boolean => (counts[kind] += 1) <= max;
  const blocks = answer.blocks.flatMap((block): Block[] => {
    switch (block.kind) {
      case 'verdict':
      case 'tiles':
      case 'pairs':
        return [block];
      case 'text':
        return isAmong('text', MAX_TEXTS) ? [block] : [];
      case 'list':
        return isAmong('list', MAX_LISTS) ? [{ ...block, items: firstItems(block.items) }] : [];
      case 'table':
        return block.rows.length <= MAX_ROWS && isAmong('table', 1) ? [block] : [];
      default:
        return block === main ? [block] : [];
    }
  });
  return { ...report, sections: [{ ...answer, blocks: [...blocks, ...picturesElsewhere(report, main)] }] };
}

function firstItems(items: readonly string[]): string[] {
  const more = items.length - MAX_ITEMS;
  return [...items.slice(0, MAX_ITEMS), ...(more > 0 ? [`${formatCount(more)} more in the whole report.`] : [])];
}

type Picture = Extract<Block, { kind: 'chart' | 'levels' }>;

function isPicture(block: Block): block is Picture {
  return block.kind === 'chart' || block.kind === 'levels';
}

/** Returns the chart in which a criterion failed; otherwise the last chart of times, which are more important than rates. */
function mainPicture(blocks: readonly Block[]): Picture | undefined {
  const all = blocks.filter(isPicture);
  const failed = all.find(({ chart }) => 'limits' in chart && chart.limits.some(({ breaches }) => (breaches?.spans.length ?? 0) > 0));
  return failed ?? all.findLast(({ chart }) => chart.unit === 'ms') ?? all.at(-1);
}

/** Returns the main chart of other sections if the first section has none, as in a search. */
function picturesElsewhere({ sections }: Report, main: Picture | undefined): Picture[] {
  if (main !== undefined) return [];
  const other = mainPicture(sections.slice(1).flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'levels')));
  return other === undefined ? [] : [other];
}
